import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { startTerminalSite, TerminalPage } from './terminal-page.js';

/** Roles and states of a combobox with a list: ARIA Authoring Practices Guide, "Editable Combobox With List Autocomplete". */
describe('the list of all commands', () => {
  const here = siteInBrowser(startTerminalSite);

  it('finds by a few letters, is used by the keyboard alone, and runs what was chosen', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, `${here.site.url}/TERMINAL.HTML+MENU`);
    const { page } = terminal;
    const screen = await page.locator('body').ariaSnapshot();
    for (const part of [
      /- banner:\n\s+- heading "Sallyport MENU" \[level=1\]/,
      /- button "Record"/,
      /- button "Help on keys"/,
      /- button "Disconnect"/,
      /- main:/,
      /- group "Host screen":/,
      /- textbox "Option/,
    ]) {
      expect(screen).to.match(part);
    }
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search commands' });
    await search.waitFor();
    // as a screen reader has it
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree)
      .to.match(/- dialog "All commands"/)
      .and.match(/- combobox "Search commands"/);
    expect(tree)
      .to.match(/- listbox "All commands"/)
      .and.match(/- option "Enter Enter" \[selected\]/)
      .and.match(/- status: \d+ commands/);
    expect(await search.evaluate('document.activeElement === document.querySelector("dialog input")')).to.equal(true);
    expect(await page.getByRole('option').count()).to.be.greaterThan(40);
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.type('ins');
    const [first] = await page.getByRole('option', { selected: true }).all();
    expect(await first?.locator('.name').textContent()).to.equal('Insert');
    expect(await search.getAttribute('aria-activedescendant')).to.equal(await first?.getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.locator('#information').getByText('Insert').waitFor();
    expect(await page.locator('dialog').count()).to.equal(0);
    // Esc leaves, and the terminal has the keyboard
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nothing is called that');
    // what was typed before the list was there is its, and not the host's
    await page.getByRole('combobox', { name: 'Search commands' }).waitFor();
    await eventually(
      async () => (await page.locator('dialog input').inputValue()) === 'nothing is called that' || undefined,
    );
    expect(await terminal.text()).to.match(/Option ===>\s+User/);
    await page.getByRole('status').filter({ hasText: '0 commands' }).waitFor();
    expect(await search.getAttribute('aria-expanded')).to.equal('false');
    expect(await search.getAttribute('aria-activedescendant')).to.equal(null);
    await page.keyboard.press('Enter');
    // nothing else in it has the focus, where keys would do nothing
    expect(await page.locator('dialog :is(a, button, input, [tabindex]:not([tabindex="-1"]))').count()).to.equal(1);
    await search.fill('');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.role')).to.not.equal('listbox');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog').count()).to.equal(0);
    // also the help, and where the server says nothing of its sessions
    await page.route('**/w2h/sessions', () => {});
    await page.keyboard.press('Control+k');
    await search.waitFor();
    await page.keyboard.type('help on keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys for the host' }).waitFor();
    await page.keyboard.press('Escape');
    await page.unroute('**/w2h/sessions');
    await page.getByRole('button', { name: 'Help on keys' }).click();
    await page.getByRole('heading', { name: 'Keys for the host' }).waitFor();
    expect(await page.getByRole('row', { name: /F3/ }).first().textContent()).to.contain('PF3');
    await page.getByRole('row', { name: /X <-o->/ }).waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    expect(terminal.complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('has every command: settings, macros, other sessions, and how to leave', async () => {
    const address = `${here.site.url}/TERMINAL.HTML+MENU`;
    const terminal = await TerminalPage.atMenu(here.browser, address);
    const { page } = terminal;
    const first = await page.locator('h1').textContent();
    await page.evaluate(
      `localStorage.setItem('sallyport-macros', '{"macros":[{"name":"into accounts","rev":1,"def":[50,"ENTER"],"mapping":{"key":"alt","keycode":71}}],"fmt":2}')`,
    );
    await page.goto(here.site.url);
    await page.goto(address);
    await terminal.connectedAtMenu();
    const search = page.getByRole('combobox', { name: 'Search commands' });
    const choose = async (sought: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await search.waitFor();
      // sessions that are listed later leave the mark where it is
      await page.getByRole('option', { name: 'Go to session' }).first().waitFor();
      await page.keyboard.type(sought);
      await page.getByRole('option', { name, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await search.waitFor({ state: 'detached' });
    };
    await page.keyboard.press('Control+k');
    await search.waitFor();
    await page.getByRole('option', { name: 'Go to session' }).first().waitFor();
    const count = await page.getByRole('option').count();
    expect(await page.getByRole('status').filter({ hasText: 'commands' }).textContent()).to.equal(`${count} commands`);
    expect(await page.getByRole('option', { name: 'Disconnect' }).count()).to.equal(1);
    // the hot key of a macro goes before that of the map
    const keyOf = (name: string) => page.getByRole('option', { name }).locator('kbd').allTextContents();
    expect(await keyOf('Run macro: into accounts')).to.deep.equal(['Alt+G']);
    expect(await keyOf('Follow the label at the cursor')).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await choose('bar', /^Cursor: Bar/);
    await eventually(async () => (await page.locator('html').getAttribute('data-cursor')) === 'bar' || undefined);
    await choose('accounts', 'Run macro: into accounts');
    await terminal.shows('Account number');
    await terminal.free();
    const path = new URL(page.url()).pathname;
    await choose('go to', /^Go to session: MENU/);
    await eventually(() => new URL(page.url()).pathname !== path || undefined);
    await terminal.shows('Option ===>');
    expect(await page.locator('h1').textContent()).to.equal(first);
    await page.context().close();
  });
});
