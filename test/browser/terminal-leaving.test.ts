import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const MINUTES = 720;

describe('a terminal that is left, and comes back', () => {
  const here = siteInBrowser(startTerminalSite);

  const at = (path: string) => named(here.site.url, path);
  const atMenu = () => TerminalPage.atMenu(here.browser, at('/TERMINAL.HTML+TSO'));

  /** What the browser asks before the page goes; it goes. */
  function questions(page: Page): string[] {
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    return asked;
  }

  it('is found again from the application menu after another address, and by another tab', async () => {
    const terminal = await atMenu();
    await terminal.choose('3', 'FORM');
    await terminal.page.goto(at('/BYE.HTML'));
    await terminal.page.getByRole('link', { name: 'Application menu' }).click();
    const session = terminal.page
      .getByRole('region', { name: 'Your sessions' })
      .getByRole('link', { name: /TSO on SIM/ });
    expect(await session.textContent()).to.match(/LU SIM\d+.*Open for a few seconds, idle for a few seconds/);
    const tab = new TerminalPage(await terminal.page.context().newPage());
    await tab.page.goto(at('/'));
    await tab.page.getByRole('link', { name: /TSO on SIM, LU/ }).click();
    await tab.shows('FORM');
    expect(await violations(terminal.page)).to.deep.equal([]);
    await session.click();
    await terminal.shows('FORM');
    await terminal.page.goBack();
    // what is shown after Back is what there is now
    await session.waitFor();
    await terminal.page.getByText('End', { exact: true }).click();
    expect(await terminal.page.getByText('This ends the session with SIM, LU').isVisible()).to.equal(true);
    expect(await violations(terminal.page)).to.deep.equal([]);
    await terminal.page.getByRole('button', { name: 'End the session' }).click();
    await terminal.page.getByRole('heading', { name: 'Applications' }).waitFor();
    expect(await terminal.page.getByRole('heading', { name: 'Your sessions' }).count()).to.equal(0);
    await terminal.close();
  });

  it('asks while its session is alive, but not where its own link leads to the menu', async () => {
    const terminal = await atMenu();
    const asked = questions(terminal.page);
    await terminal.page.reload();
    await terminal.shows('Option ===>');
    expect(asked).to.deep.equal(['beforeunload']);
    await terminal.page.getByRole('link', { name: 'Sallyport' }).click();
    await terminal.page.getByRole('heading', { name: 'Applications' }).waitFor();
    expect(asked).to.have.length(1);
    await terminal.close();
  });

  it('asks where the user has said so, else where something was typed or is recorded, and nothing more after the end', async () => {
    const terminal = await atMenu();
    const asked = questions(terminal.page);
    await terminal.page.evaluate(`localStorage.setItem('sallyport-settings', '{"confirmLeave":false}')`);
    await terminal.page.reload();
    await terminal.shows('Option ===>');
    await terminal.free();
    asked.length = 0;
    await terminal.press('Tab');
    await terminal.page.reload();
    await terminal.shows('Option ===>');
    await terminal.free();
    expect(asked).to.deep.equal([]);
    await terminal.type('2');
    await terminal.page.reload();
    await terminal.shows('Option ===> 2');
    expect(asked).to.deep.equal(['beforeunload']);
    await terminal.free();
    // a recording that goes with the page
    await terminal.press('Backspace');
    await terminal.page.getByRole('button', { name: 'Record', exact: true }).click();
    await terminal.says('Recording');
    await terminal.page.reload();
    await terminal.shows('Option ===>');
    await terminal.free();
    expect(asked.splice(1)).to.deep.equal(['beforeunload']);
    await terminal.press('F3');
    await terminal.alert.getByText('The host has ended the session.').waitFor();
    await terminal.page.reload();
    expect(asked).to.have.length(1);
    await terminal.close();
  });

  it('says what Disconnect ends, and stays where the user wants that', async () => {
    const terminal = await atMenu();
    const { page } = terminal;
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('dialog', { name: 'End this session?' });
    expect(await dialog.textContent()).to.match(/This ends TSO · SIM · SIM\d+\. Unfinished work there is lost\./);
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Stay');
    expect(await violations(page)).to.deep.equal([]);
    await terminal.press('Escape');
    await terminal.free();
    await terminal.type('4');
    await terminal.press('Enter');
    await terminal.shows('COLOURS');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('heading', { name: 'Goodbye' }).waitFor();
    await terminal.close();
  });

  it('counts down before the session ends, and any key stays', async () => {
    let left = MINUTES * 60;
    const asked: string[] = [];
    let answered = 0;
    const context = await here.browser.newContext();
    const terminal = new TerminalPage(await context.newPage());
    const { page } = terminal;
    await page.clock.install();
    // the server's own clock cannot be put forward: it answers as it would later on
    await page.routeWebSocket(/SvcSession=/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        if (String(message).startsWith('{"k":"q"')) {
          asked.push(String(message));
          if (String(message).includes('"y":1')) left = MINUTES * 60;
        }
        server.send(message);
      });
      server.onMessage((message) => {
        const isTime = String(message).startsWith('{"k":"t"');
        socket.send(isTime ? `{"k":"t","s":${left},"n":${MINUTES * 60}}` : message);
        if (isTime) answered += 1;
      });
    });
    await page.goto(at('/TERMINAL.HTML+TSO'));
    await terminal.signOn();
    await eventually(() => answered === 1 || undefined);
    const notice = page.locator('.notice');
    expect(await notice.count()).to.equal(0);
    // somebody else has used it: there is more time than this page has counted
    left = 300;
    await page.clock.fastForward((MINUTES * 60 - 120) * 1_000);
    await eventually(() => answered === 2 || undefined);
    left = 120;
    await page.clock.fastForward(180_000);
    // the clock goes on while the test looks
    await notice.getByText(/^.*It ends in (2:00|1:5\d)\. Press any key to keep it\./).waitFor();
    expect(await page.title()).to.match(/^(2:00|1:5\d) /);
    await page.clock.fastForward(30_000);
    await notice.getByText(/It ends in 1:[23]\d/).waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.press('Shift');
    await notice.waitFor({ state: 'detached' });
    expect(asked.at(-1)).to.equal('{"k":"q","y":1}');
    expect(await page.title()).to.match(/^TSO /);
    left = 60;
    await page.clock.fastForward((MINUTES * 60 - 120) * 1_000);
    await notice.getByRole('button', { name: 'Stay' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  it('begins anew with Enter after the end, wherever the focus is', async () => {
    const terminal = await atMenu();
    await terminal.press('F3');
    await terminal.alert.getByText('The host has ended the session.').waitFor();
    await terminal.page.locator('#screen').click();
    await terminal.press('Enter');
    await terminal.signOn();
    await terminal.close();
  });

  it('finds out after sleep that its connection is none any more', async () => {
    const context = await here.browser.newContext();
    const terminal = new TerminalPage(await context.newPage());
    let isAsleep = false;
    let connections = 0;
    await terminal.page.routeWebSocket(/SvcSession=/, (socket) => {
      const mine = ++connections;
      const server = socket.connectToServer();
      // nothing says that it is cut
      socket.onMessage((message) => {
        if (!isAsleep || mine > 1) server.send(message);
      });
      server.onMessage((message) => {
        if (!isAsleep || mine > 1) socket.send(message);
      });
    });
    await terminal.page.goto(at('/TERMINAL.HTML+TSO'));
    await terminal.signOn();
    isAsleep = true;
    await terminal.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await eventually(() => connections === 2 || undefined);
    await terminal.free();
    await terminal.choose('4', 'COLOURS');
    await terminal.close();
  });
});
