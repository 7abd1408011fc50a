import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const DAY = 86_400_000;

describe('the line of information, and trouble with the host', () => {
  const here = siteInBrowser(startTerminalSite);
  const address = () => named(here.site.url, '/TERMINAL.HTML+TSO');

  it('says where the terminal is connected to, and how long the host took', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address());
    await terminal.says('SIM', 'SIM00001', '3279-2-E', 'No TLS', '03/014');
    const line = terminal.page.locator('#information');
    expect(await line.locator('.host').textContent()).to.equal('Host SIM');
    expect(await line.locator('.unit').textContent()).to.equal('Logical unit SIM00001');
    expect(await line.locator('.tls').getAttribute('title')).to.equal(
      'Not encrypted between this browser and the server. Not encrypted between the server and the host.',
    );
    expect(await line.locator('.response').textContent()).to.match(/^Last response \d+\.\d\d s$/);
    await terminal.press('Insert');
    await terminal.says('Insert');
    await terminal.press('Insert', 'Shift+Tab', 'ArrowLeft');
    await terminal.type('x');
    await terminal.says('X <-o->', 'Nothing can be typed here');
    expect(await line.locator('.sign').getAttribute('title')).to.equal('Nothing can be typed here');
    await terminal.close();
  });

  it('counts the seconds of a silent host, and offers what can be done', async () => {
    const terminal = await TerminalPage.open(here.browser, 'about:blank');
    const { page } = terminal;
    await page.clock.install();
    await page.goto(address());
    await terminal.signOn();
    await terminal.choose('9', 'OPERATOR');
    const notice = page.locator('.notice');
    await page.clock.pauseAt(Date.now() + DAY);
    await lockKeyboard(terminal);
    await terminal.says('X SYSTEM');
    await secondsPass(terminal, 3);
    await terminal.says('X SYSTEM 3 s');
    expect(await notice.count()).to.equal(0);
    await secondsPass(terminal, 7);
    await terminal.says('X SYSTEM 10 s');
    await notice.getByText('has not answered').waitFor();
    // axe has timers
    await page.clock.resume();
    expect(await violations(page)).to.deep.equal([]);
    await notice.getByRole('button', { name: 'Keep waiting' }).click();
    expect(await notice.count()).to.equal(0);
    expect(await page.evaluate('document.querySelector("#screen").contains(document.activeElement)')).to.equal(true);
    // its clock is not for another page
    await page.context().close();
  });

  it('tells of a faulty record over the screen, and goes on with Reset', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address());
    await terminal.type('6');
    await terminal.press('Enter');
    const notice = terminal.page.locator('.notice');
    await notice.getByText('X PROG 755').waitFor();
    expect(await violations(terminal.page)).to.deep.equal([]);
    await notice.getByRole('button', { name: 'Reset' }).click();
    await terminal.free();
    expect(await notice.count()).to.equal(0);
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  it('says that the session has ended, and Enter begins a new one', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address());
    await terminal.press('F3');
    await terminal.alert.getByText('The host has ended the session').waitFor();
    await terminal.page.locator('#screen').focus();
    await terminal.press('Enter');
    await terminal.shows('Userid');
    await terminal.close();
  });
});

/** For the page. After each second the server answers what the page asks: a server that is silent for 6 seconds is taken to be gone. */
async function secondsPass(terminal: TerminalPage, seconds: number): Promise<void> {
  const count = (messages: readonly string[], kind: string) =>
    messages.filter((text) => text.startsWith(`{"k":"${kind}"`)).length;
  for (let second = 0; second < seconds; second++) {
    await terminal.page.clock.runFor(1_000);
    await eventually(() => count(terminal.received, 't') >= count(terminal.sent, 'q') || undefined);
  }
}

/** The host keeps the keyboard of this terminal from its next record on. */
async function lockKeyboard(terminal: TerminalPage): Promise<void> {
  // delay, disconnect, garbage, split
  await terminal.press('Tab', 'Tab', 'Tab', 'Tab');
  await terminal.type('Y');
  await terminal.press('Enter');
}
