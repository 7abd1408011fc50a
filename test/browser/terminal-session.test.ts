import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

describe('sessions of the terminal in Chromium', () => {
  const here = siteInBrowser(startTerminalSite);

  const at = (path: string) => named(here.site.url, path);
  const atMenu = () => TerminalPage.atMenu(here.browser, at('/TERMINAL.HTML+TSO'));

  it('begin at the application menu', async () => {
    const terminal = await TerminalPage.open(here.browser, at('/'));
    await terminal.page.getByRole('link', { name: 'TSO' }).click();
    await terminal.signOn();
    await terminal.page.getByRole('link', { name: 'Sallyport' }).click();
    await terminal.page.getByRole('heading', { name: 'Applications' }).waitFor();
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  it('keep their screen, and what was typed, when the page is loaded again; but no password', async () => {
    const terminal = await TerminalPage.open(here.browser, at('/TERMINAL.HTML+TSO'));
    await terminal.shows('Userid');
    await terminal.free();
    await terminal.type('anna');
    await terminal.press('Tab');
    await terminal.type('geheim');
    expect(await terminal.valueOf('Password  . . .')).to.equal('geheim');
    await terminal.page.evaluate(
      "addEventListener('pagehide', () => { window.name = JSON.stringify(sessionStorage); })",
    );
    await terminal.page.reload();
    await terminal.shows('Userid  . . . .  anna');
    expect(await terminal.valueOf('Password  . . .')).to.equal('');
    expect(await terminal.page.evaluate('window.name + JSON.stringify([sessionStorage, localStorage])')).to.not.match(
      /geheim/,
    );
    await terminal.says('10/031');
    await terminal.type('geheim');
    await terminal.press('Enter');
    await terminal.shows('User . . : ANNA');
    await terminal.choose('3', 'FORM');
    await terminal.type('12345678');
    await terminal.page.reload();
    await terminal.shows('FORM', '12345678');
    await terminal.press('Enter');
    await terminal.shows('Amount: more than nothing');
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  it('are there still after the back button', async () => {
    const terminal = await TerminalPage.open(here.browser, at('/'));
    await terminal.page.getByRole('link', { name: 'TSO' }).click();
    await terminal.signOn();
    await terminal.choose('4', 'COLOURS');
    await terminal.page.goBack();
    await terminal.page.getByRole('heading', { name: 'Applications' }).waitFor();
    await terminal.page.goForward();
    await terminal.shows('COLOURS');
    await terminal.free();
    await terminal.press('F3');
    await terminal.shows('User . . : DEMO');
    await terminal.close();
  });

  it('lead to the last page when the user disconnects', async () => {
    const terminal = await atMenu();
    await terminal.page.getByRole('button', { name: 'Disconnect' }).click();
    await terminal.page.getByRole('button', { name: 'End the session' }).click();
    await terminal.page.getByRole('heading', { name: 'Goodbye' }).waitFor();
    await terminal.page.goBack();
    await eventually(async () => (await terminal.page.title()) !== 'Signed off – Sallyport' || undefined);
    expect(await terminal.page.getByText('User . . : DEMO').count()).to.equal(0);
    await terminal.close();
  });

  for (const [how, leave] of [
    ['by its option X', ['x', 'Enter']],
    ['with F3', ['F3']],
  ] as const) {
    it(`say that the host has ended them, ${how}, and begin anew`, async () => {
      const terminal = await atMenu();
      await terminal.press(...leave);
      await terminal.alert.getByText('The host has ended the session.').waitFor();
      expect(await terminal.alert.textContent()).to.match(/^The host has ended the session\. +Begin a new session/);
      expect(await terminal.page.evaluate('document.activeElement.textContent')).to.equal('Begin a new session');
      await terminal.press('Enter');
      await terminal.signOn();
      await terminal.press('F3');
      await terminal.alert.getByRole('link', { name: 'Application menu' }).click();
      await terminal.page.getByRole('heading', { name: 'Applications' }).waitFor();
      expect(terminal.complaints).to.deep.equal([]);
      await terminal.close();
    });
  }

  it('that were never used are over after the time of their page', async () => {
    const hasty = await startTerminalSite({
      replace: [['{{{SET-INITIAL-TIMEOUT "300"}}}', '{{{SET-INITIAL-TIMEOUT "1"}}}']],
    });
    try {
      const options = { javaScriptEnabled: false };
      const terminal = await TerminalPage.open(here.browser, named(hasty.url, '/TERMINAL.HTML+TSO'), options);
      await eventually(() => hasty.log().includes('abandoned') || undefined);
      await terminal.page.getByRole('button', { name: 'PF3', exact: true }).click();
      await terminal.page.getByRole('heading', { name: '404' }).waitFor();
      await terminal.close();
    } finally {
      await hasty.stop();
    }
  });

  it('show the same screen in a second tab, and end in both', async () => {
    const terminal = await atMenu();
    const tab = new TerminalPage(await terminal.page.context().newPage());
    await tab.page.goto(terminal.page.url());
    await tab.shows('User . . : DEMO');
    await tab.free();
    await tab.type('2');
    await tab.press('Enter');
    await terminal.shows('Account inquiry');
    await terminal.page.bringToFront();
    await terminal.type('10000001');
    await terminal.press('Enter');
    await tab.shows('Account number . .  10000001', 'Balance');
    await tab.press('F3');
    await tab.shows('ENTER=Inquire');
    await tab.free();
    await tab.press('F3');
    await terminal.shows('Option ===>');
    await terminal.free();
    await terminal.press('F3');
    await tab.alert.getByText('The host has ended the session.').waitFor();
    await terminal.alert.getByText('The host has ended the session.').waitFor();
    await terminal.close();
  });

  it('of two users side by side know nothing of each other', async () => {
    const [demo, anna] = [await atMenu(), await TerminalPage.open(here.browser, at('/TERMINAL.HTML+TSO'))];
    await anna.signOn('anna', 'geheim');
    await demo.choose('2', 'ACCT');
    await anna.choose('3', 'FORM');
    await anna.type('12345678');
    await demo.type('10000002');
    await demo.press('Enter');
    await demo.shows('Account number . .  10000002');
    expect(await anna.text())
      .to.include('Transfer order')
      .and.to.not.include('10000002');
    expect(await demo.text()).to.not.include('12345678');
    // the address alone is no key to a session
    const answer = await anna.page.context().request.get(demo.page.url().replace('host.test', '127.0.0.1'));
    expect(answer.status()).to.equal(404);
    const stolen = new TerminalPage(await anna.page.context().newPage());
    await stolen.page.goto(demo.page.url());
    await stolen.page.getByRole('heading', { name: '404' }).waitFor();
    await demo.close();
    await anna.close();
  });
});
