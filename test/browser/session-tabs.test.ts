import { expect } from 'chai';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const transactions = [
  'TSO: { applicationType: 1, application: MENU, page: TERMINAL.HTML, description: Payroll }',
  'CICS: { applicationType: 1, application: MENU, page: TERMINAL.HTML, description: Orders }',
  'w2h: { applicationType: 4, application: W2H-DIR }',
].join('\n      ');

describe('sessions in tabs', () => {
  const here = siteInBrowser(() =>
    startTerminalSite({ transactions, hosts: 'MENU: { simulated: true, start: MENU }' }),
  );

  const at = (path: string) => named(here.site.url, path);
  const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });
  const inside = (page: Page, name: string): FrameLocator => page.frameLocator(`iframe[title="${name}"]`);

  async function shows(page: Page, name: string, text: string): Promise<void> {
    // what the server has written is there before keys can be sent: the logical unit is told to connected terminals
    await inside(page, name)
      .locator('#information')
      .getByText(/^SIM\d+$/)
      .waitFor();
    await inside(page, name).locator('#screen').getByText(text, { exact: false }).first().waitFor();
  }

  /** Two sessions, begun at the menu, and the page that has them in tabs. */
  async function openTabs(options: object = {}, link = 'Open in tabs'): Promise<TerminalPage> {
    const opened = await TerminalPage.open(here.browser, at('/TERMINAL.HTML+TSO'), options);
    await opened.shows('Option ===>');
    await opened.page.goto(at('/TERMINAL.HTML+CICS'));
    await opened.shows('Option ===>');
    await opened.page.goto(at('/'));
    await opened.page.getByRole('link', { name: link }).click();
    await shows(opened.page, 'Payroll', 'Option ===>');
    await eventually(
      async () => (await opened.page.evaluate("document.activeElement.title === 'Payroll'")) || undefined,
    );
    return opened;
  }

  it('are the open sessions of the browser; the keyboard leads from one to the other, and types into the one that is seen', async () => {
    const opened = await openTabs();
    const { page } = opened;
    expect(await page.getByRole('tab').allTextContents()).to.have.length(2);
    expect(await tab(page, 'Payroll').textContent()).to.match(/^Payroll MENU · \w+$/);
    expect(await tab(page, 'Payroll').getAttribute('aria-selected')).to.equal('true');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await shows(page, 'Payroll', 'COLOURS');
    await page.keyboard.press('Control+Alt+ArrowRight');
    expect(await page.locator('iframe[title="Payroll"]').isVisible()).to.equal(false);
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await shows(page, 'Orders', 'ACCT');
    await page.keyboard.press('Control+Alt+Digit1');
    await page.keyboard.press('F3');
    await shows(page, 'Payroll', 'Option ===>');
    // all of the page, not the frame by itself
    const isFull = () => page.evaluate<boolean>('document.fullscreenElement === document.documentElement');
    await page.keyboard.press('Alt+Enter');
    await eventually(async () => (await isFull()) || undefined);
    await page.keyboard.press('Alt+Enter');
    await eventually(async () => !(await isFull()) || undefined);
    expect(opened.complaints).to.deep.equal([]);
    await opened.close();
  });

  it('stand side by side, and a host that writes into one does not take the keyboard from the other', async () => {
    const opened = await openTabs();
    const { page } = opened;
    await page.keyboard.press('Control+Alt+KeyS');
    await shows(page, 'Orders', 'Option ===>');
    const [left, right] = [
      await page.locator('iframe[title="Payroll"]').boundingBox(),
      await page.locator('iframe[title="Orders"]').boundingBox(),
    ];
    expect(left?.x).to.be.lessThan(right?.x ?? 0);
    expect(Math.abs((left?.width ?? 0) - (right?.width ?? 1))).to.be.at.most(2);
    // a second page of the other session sends it somewhere else
    const other = new TerminalPage(await page.context().newPage());
    await other.page.goto(at('/'));
    await other.page.getByRole('link', { name: 'Orders CICS on MENU, LU' }).click();
    await other.shows('Option ===>');
    await other.free();
    await other.type('2');
    await other.press('Enter');
    await shows(page, 'Orders', 'ACCT');
    await other.page.close();
    await page.bringToFront();
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await shows(page, 'Payroll', 'COLOURS');
    // the pointer brings the keyboard along
    await inside(page, 'Orders')
      .locator('#screen')
      .click({ position: { x: 5, y: 5 } });
    await eventually(async () => (await tab(page, 'Orders').getAttribute('aria-selected')) === 'true' || undefined);
    await page.keyboard.press('F3');
    await shows(page, 'Orders', 'Option ===>');
    expect(await violations(page)).to.deep.equal([]);
    await opened.close();
  });

  it('have the names that their user gives them, and are there after a reload, side by side as before', async () => {
    const opened = await openTabs();
    const { page } = opened;
    await tab(page, 'Orders').click();
    await tab(page, 'Orders').press('F2');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Branch <17>');
    expect(await violations(page)).to.deep.equal([]);
    await name.press('Enter');
    await tab(page, 'Branch <17>').waitFor();
    await page.keyboard.press('Control+Alt+KeyS');
    await shows(page, 'Payroll', 'Option ===>');
    await page.reload();
    await shows(page, 'Branch <17>', 'Option ===>');
    await shows(page, 'Payroll', 'Option ===>');
    expect(await tab(page, 'Branch <17>').getAttribute('aria-selected')).to.equal('true');
    await page.goto(at('/'));
    await page.getByRole('link', { name: 'Branch <17>' }).waitFor();
    await opened.close();
  });

  it('begin with an application and end by Close, which says what it ends', async () => {
    const opened = await openTabs();
    const { page } = opened;
    await page.keyboard.press('Control+Alt+KeyN');
    await page.getByRole('dialog').getByRole('button', { name: 'Orders' }).click();
    await eventually(async () => (await page.getByRole('tab').count()) === 3 || undefined);
    await page.locator('iframe[title="Orders"]:visible').waitFor();
    await eventually(async () => /MENU · /.test((await page.getByRole('tab').last().textContent()) ?? '') || undefined);
    await page.getByRole('button', { name: 'Close' }).click();
    const dialog = page.getByRole('dialog', { name: 'End this session?' });
    expect(await dialog.textContent()).to.match(/This ends Orders, MENU · \w+\./);
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByRole('tab').count()).to.equal(3);
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'End the session' }).click();
    await eventually(async () => (await page.getByRole('tab').count()) === 2 || undefined);
    // Disconnect of a terminal closes its tab as well
    const terminal = inside(
      page,
      (await page.getByRole('tab', { selected: true }).locator('.name').textContent()) ?? '',
    );
    await terminal.getByRole('button', { name: 'Disconnect' }).click();
    await terminal.getByRole('button', { name: 'End the session' }).click();
    await eventually(async () => (await page.getByRole('tab').count()) === 1 || undefined);
    await opened.close();
  });

  it('stay where the server cannot be reached or refuses, or a proxy answers in its place, and say so in German', async () => {
    const opened = await openTabs({ locale: 'de-DE' }, 'In Tabs öffnen');
    const { page } = opened;
    const status = page.locator('#workspace-words');
    const unreachable = /^Der Server ist nicht erreichbar/;
    /** @returns what is said of it */
    const said = async (does: () => Promise<void>) => {
      await page.evaluate("document.getElementById('workspace-words').textContent = ''");
      await does();
      const text = await eventually(async () => (await status.textContent()) || undefined);
      // not by screen readers alone
      expect((await status.boundingBox())?.height).to.be.greaterThan(20);
      return text;
    };
    const rename = async () => {
      await page.getByRole('button', { name: 'Umbenennen' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('Lohn');
      await page.keyboard.press('Enter');
    };
    const close = async () => {
      await page.getByRole('button', { name: 'Schließen' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sitzung beenden' }).click();
    };
    const answering = async (status: number, contentType: string, body: string) => {
      await page.unroute('**/w2h/sessions');
      await page.route('**/w2h/sessions', (route) => route.fulfill({ status, contentType, body }));
    };

    await page.context().setOffline(true);
    expect(await said(rename)).to.match(unreachable);
    await page.context().setOffline(false);
    await answering(502, 'text/html', '<h1>Bad Gateway</h1>');
    expect(await said(rename)).to.match(unreachable);
    expect(await said(close)).to.match(unreachable);
    const refusal = { error: 'SVC_ERR_NODE_UNREACHABLE', message: 'The server of this session does not answer.' };
    await answering(503, 'application/json', JSON.stringify(refusal));
    expect(await said(rename)).to.equal(refusal.message);
    expect(await said(close)).to.equal(refusal.message);
    expect(await page.getByRole('tab').locator('.name').allTextContents()).to.deep.equal(['Payroll', 'Orders']);
    await page.unroute('**/w2h/sessions');
    await close();
    await eventually(async () => (await page.getByRole('tab').count()) === 1 || undefined);
    expect(await status.textContent()).to.equal('');
    // one that has ended meanwhile has nothing left to stay for
    const unknown = { error: 'SVC_ERR_SESSION_UNKNOWN', message: 'Diese Sitzung gibt es nicht mehr.' };
    await answering(404, 'application/json', JSON.stringify(unknown));
    expect(await said(close)).to.equal(unknown.message);
    await eventually(async () => (await page.getByRole('tab').count()) === 0 || undefined);
    await opened.close();
  });

  it('are shown by New where the server could not list them at first, in the order that they had', async () => {
    const opened = await openTabs();
    const { page } = opened;
    await page.keyboard.press('Control+Alt+KeyS');
    await page.keyboard.press('Control+Alt+ArrowRight');
    const names = () => page.getByRole('tab').locator('.name').allTextContents();
    await page.route('**/w2h/sessions', (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.fulfill({ status: 502, body: 'Bad Gateway' }),
    );
    await page.reload();
    await page.getByText('The server cannot be reached. Try again.').waitFor();
    expect(await violations(page)).to.deep.equal([]);
    expect(await names()).to.deep.equal([]);
    await page.unroute('**/w2h/sessions');
    await page.getByRole('button', { name: 'New' }).click();
    await shows(page, 'Orders', 'Option ===>');
    expect(await names()).to.deep.equal(['Payroll', 'Orders']);
    expect(await tab(page, 'Orders').getAttribute('aria-selected')).to.equal('true');
    expect(await page.getByRole('button', { name: '2 sessions side by side' }).getAttribute('aria-pressed')).to.equal(
      'true',
    );
    expect(await page.getByRole('dialog').count()).to.equal(0);
    // while the server is asked for the applications, New is pressed again
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/w2h/sessions', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'New' }).dblclick();
    answer();
    await page.getByRole('dialog', { name: 'New session' }).first().waitFor();
    await page.unroute('**/w2h/sessions');
    expect(await page.getByRole('dialog').count()).to.equal(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await opened.close();
  });

  it('say which of them has ended', async () => {
    const opened = await openTabs();
    const { page } = opened;
    await page.keyboard.press('F3');
    await inside(page, 'Payroll').getByText('The host has ended the session.').first().waitFor();
    await page.keyboard.press('Control+Alt+ArrowRight');
    await tab(page, 'Payroll').getByText('ended').waitFor();
    await page.keyboard.press('Control+Alt+ArrowLeft');
    // Enter begins anew, in the same tab
    await page.keyboard.press('Enter');
    await shows(page, 'Payroll', 'Option ===>');
    await tab(page, 'Payroll').getByText('ended').waitFor({ state: 'detached' });
    await opened.close();
  });

  it('are a row on a phone, and nothing is wider than it', async () => {
    const opened = await openTabs({ viewport: { width: 390, height: 740 }, hasTouch: true, colorScheme: 'dark' });
    const { page } = opened;
    expect(await page.getByRole('group', { name: 'Sessions side by side' }).isVisible()).to.equal(false);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    await tab(page, 'Orders').tap();
    await shows(page, 'Orders', 'Option ===>');
    expect(await page.locator('iframe[title="Payroll"]').isVisible()).to.equal(false);
    expect(await violations(page)).to.deep.equal([]);
    await opened.close();
  });
});
