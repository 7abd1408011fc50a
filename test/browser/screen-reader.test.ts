import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const transactions = [
  'TSO: { applicationType: 1, application: MENU, page: TERMINAL.HTML, description: Payroll }',
  'CICS: { applicationType: 1, application: MENU, page: TERMINAL.HTML, description: Orders }',
  'w2h: { applicationType: 4, application: W2H-DIR }',
].join('\n      ');

/** The tree that a browser gives to a screen reader: roles, names and states. */
async function treeOf(place: Locator): Promise<readonly string[]> {
  return (await place.ariaSnapshot()).split('\n').map((line) => line.trim());
}

/** Each of the parts is a line of the tree, in this order. */
function expectInOrder(tree: readonly string[], ...parts: readonly (string | RegExp)[]): void {
  let from = 0;
  for (const part of parts) {
    const at = tree.findIndex((line, index) => {
      if (index < from) return false;
      return typeof part === 'string' ? line === `- ${part}` || line === `- ${part}:` : part.test(line);
    });
    expect(at, `${part} in\n${tree.join('\n')}`).to.be.at.least(from);
    from = at + 1;
  }
}

describe('what a screen reader is told', () => {
  const here = siteInBrowser(() =>
    startTerminalSite({ transactions, hosts: 'MENU: { simulated: true, start: MENU }' }),
  );
  const at = (path: string) => named(here.site.url, path);
  async function open(): Promise<TerminalPage> {
    const terminal = await TerminalPage.open(here.browser, at('/TERMINAL.HTML+TSO'));
    await terminal.connectedAtMenu();
    return terminal;
  }
  const body = (page: Page) => page.locator('body');

  it('of the settings: each has a name and its value, in parts with headings', async () => {
    const terminal = await open();
    const { page } = terminal;
    await terminal.press('Control+,');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.getByText('Keys of your own').click();
    const tree = await treeOf(page.getByRole('dialog'));
    expectInOrder(
      tree,
      'dialog "Settings"',
      'heading "Settings" [level=2]',
      'heading "Appearance" [level=3]',
      'combobox "Colours"',
      'option "Same as the system (light or dark)" [selected]',
      'checkbox "Fit the letters to the window" [checked]',
      'checkbox "Blinking cursor"',
      'heading "Keyboard" [level=3]',
      'combobox "Key map"',
      'searchbox "Search actions and keys"',
      'button "Remove F3 from PF3": ×',
      'button "Add a key for PF3": +',
      'heading "Mouse and touch" [level=3]',
      'heading "Page" [level=3]',
      'combobox "Language"',
      'button "Save"',
      'button "Cancel"',
      'button "Defaults"',
    );
    // a key that another action has: the question is told with the button that has the focus
    await page.getByRole('button', { name: 'Add a key for Erase input' }).focus();
    await terminal.press('Enter', 'Alt+g');
    const take = page.getByRole('button', { name: 'Assign Alt+G here' });
    await take.waitFor();
    expect(await take.evaluate('document.activeElement?.textContent')).to.equal('Assign Alt+G here');
    const described = 'document.getElementById(document.activeElement.getAttribute("aria-describedby")).textContent';
    expect(await page.evaluate(described)).to.equal('Alt+G is already used for “Follow the label at the cursor”.');
    await terminal.close();
  });

  it('of what was found, and of the screens before', async () => {
    const terminal = await open();
    const { page } = terminal;
    await terminal.choose('2', 'ACCT');
    await terminal.press('F3');
    await terminal.shows('Option ===>');
    await terminal.free();
    await terminal.press('Control+f');
    await page.keyboard.type('browse');
    const search = page.getByRole('search');
    await search.getByText('1 of 1').waitFor();
    expectInOrder(
      await treeOf(body(page)),
      'banner',
      'main',
      'group "Host screen"',
      'textbox "Option"',
      'search',
      'searchbox "Find": browse',
      /^- status: 1 of 1\b/,
      /^- button "Previous match"/,
      /^- button "Next match"/,
      'button "Earlier screens"',
      /^- button "Close"/,
    );
    await terminal.press('Escape', 'Alt+PageUp');
    await page.getByRole('heading', { name: 'Screens of this session' }).waitFor();
    expectInOrder(
      await treeOf(page.getByRole('dialog')),
      'dialog "Screens of this session"',
      'searchbox "Find"',
      'button "Older"',
      'button "Newer"',
      /^- status: Screen 2, .*, left with PF3$/,
      'button "Compare with this one"',
      /^- group "Screen 2, .*, left with PF3": ACCT Account inquiry/,
      'button "Print"',
      'checkbox "all 3 screens"',
      'button "Close"',
    );
    await terminal.close();
  });

  it('of the application menu and of sessions side by side: which is which, and which one has the keyboard', async () => {
    const { page } = await open();
    await page.goto(at('/TERMINAL.HTML+CICS'));
    await page.locator('#screen .row').first().waitFor();
    await page.goto(at('/'));
    expectInOrder(
      await treeOf(body(page)),
      'banner',
      'heading "Sallyport" [level=1]',
      'main',
      'region "Your sessions"',
      'heading "Your sessions" [level=2]',
      'list',
      /^- link "Payroll TSO on MENU, LU SIM\d+ Open for a few seconds, idle for a few seconds"/,
      /^- link "Orders CICS on MENU, LU SIM\d+ /,
      'region "Applications"',
      'list',
      'link "Payroll TSO on MENU Host reached"',
      'link "Orders CICS on MENU Host reached"',
      'contentinfo',
    );
    expect(await page.locator('summary').first().getAttribute('aria-label')).to.match(/^End Payroll SIM\d+$/);
    await page.goto(at('/w2h/sessions'));
    const frame = page.frameLocator('iframe[title="Payroll"]');
    await frame.locator('#screen .row').first().waitFor();
    await page.keyboard.press('Control+Alt+KeyS');
    await page.frameLocator('iframe[title="Orders"]').locator('#screen .row').first().waitFor();
    expectInOrder(
      await treeOf(body(page)),
      'banner',
      'heading "Sessions" [level=1]',
      'tablist "Sessions"',
      /^- tab "Payroll MENU · SIM\d+" \[selected\]$/,
      /^- tab "Orders MENU · SIM\d+"$/,
      'group "Sessions side by side"',
      /^- button "1 session at a time"/,
      /^- button "2 sessions side by side" \[pressed\]/,
      'main',
      /^- tabpanel "Payroll MENU · SIM\d+"/,
      'iframe',
      /^- tabpanel "Orders MENU · SIM\d+"/,
      'iframe',
      'status',
    );
    expectInOrder(await treeOf(frame.locator('body')), 'banner', 'main', 'group "Host screen"', 'textbox "Option"');
    // in a narrow window there is one of them, and its tab says which
    await page.setViewportSize({ width: 390, height: 844 });
    const narrow = await treeOf(body(page));
    expect(narrow.filter((line) => line.startsWith('- tabpanel'))).to.have.length(1);
    expectInOrder(narrow, /^- tab "Payroll .*" \[selected\]$/, /^- tabpanel "Payroll /);
    await page.context().close();
  });
});
