import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, BERT, startPortalSite } from '../support/portal-site.js';
import { isScreenStep, MacroPage, type StoredMacro } from './macro-page.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, TerminalPage } from './terminal-page.js';

const LOOK_UP = { name: 'look an account up', rev: 1, def: [{ txt: '2' }, 'ENTER', { txt: '10000001' }, 'ENTER'] };

/** The whole way: portal, security database, sign-on form, terminal, files on the disk; nothing in between is ours to fake. */
describe('macros of users, from the portal to the terminal', () => {
  const here = siteInBrowser(startPortalSite);
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  const fileOf = (...names: string[]) =>
    readFileSync(join(here.site.folder, 'data', 'macros', ...names, 'macros.json'), 'utf8');

  /** A browser in which a user has signed on to Sallyport, and the terminal that comes then. */
  async function terminalOf({ name, password }: typeof ANNA | typeof BERT): Promise<MacroPage> {
    const terminal = await TerminalPage.open(here.browser, named(here.site.clientUrl, '/TERMINAL.HTML+TSO4'));
    contexts.push(terminal.page.context());
    const { page } = terminal;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.getByLabel('User ID').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign on' }).click();
    await terminal.shows('Userid');
    await terminal.free();
    expect(sent.join('\n')).to.include('PASSWORD=').and.not.include(password);
    return new MacroPage(terminal);
  }

  it('records one that signs on and looks an account up, saves it, and plays it after a reload', async () => {
    const macros = await terminalOf(ANNA);
    const { terminal } = macros;
    const icon = macros.page.locator('#macro-list');
    expect(await icon.getAttribute('aria-label')).to.equal('Macros (centralized)');
    await macros.recordButton.click();
    await terminal.type('demo');
    await terminal.press('Tab');
    await terminal.type('demo');
    await terminal.press('Enter');
    await terminal.choose('2', 'ACCT');
    await terminal.type('10000001');
    await terminal.press('Enter');
    await terminal.shows('ADA LOVELACE');
    await macros.save('to Ada');
    const { macros: stored } = JSON.parse(fileOf('user', 'anna')) as { macros: readonly StoredMacro[] };
    const played = stored.map((macro) => ({ ...macro, def: macro.def.filter((step) => !isScreenStep(step)) }));
    expect(played).to.deep.equal([
      {
        name: 'to Ada',
        rev: 1,
        def: [{ txt: 'demo' }, 'Tab', { txt: '', prompt: 'Password' }, 'ENTER', ...LOOK_UP.def],
      },
    ]);
    await macros.page.evaluate("localStorage.setItem('sallyport-macros-of:SOMEBODY', '{}')");
    await macros.page.reload();
    await terminal.shows('ADA LOVELACE');
    // what others have left in this browser is gone
    expect(await macros.page.evaluate('Object.keys(localStorage)')).to.have.members([
      'sallyport-macros-of:ANNA',
      'sallyport-settings-of:ANNA',
    ]);
    await macros.page.goto(named(here.site.clientUrl, '/TERMINAL.HTML+TSO4'));
    await terminal.shows('Userid');
    await terminal.free();
    await macros.run('to Ada');
    await macros.dialog.getByLabel('Password').fill('demo');
    await macros.page.keyboard.press('Enter');
    await terminal.shows('ADA LOVELACE');
  });

  it('shows users what an administrator has uploaded for all and for their group', async () => {
    const context = await here.browser.newContext({ viewport: { width: 1280, height: 800 } });
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(named(here.site.portalUrl, '/macros/global'));
    await page.getByLabel('User ID').fill(ADMINISTRATOR.name);
    await page.getByLabel('Password').fill(ADMINISTRATOR.password);
    await page.getByRole('button', { name: 'Sign on' }).click();
    const upload = async (path: string, name: string) => {
      await page.goto(named(here.site.portalUrl, path));
      const buffer = Buffer.from(JSON.stringify({ macros: [{ ...LOOK_UP, name }], fmt: 2 }));
      await page.getByLabel(/Macro file/).setInputFiles({ name: 'macros.json', mimeType: 'application/json', buffer });
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByText(name).first().waitFor();
    };
    await page.getByLabel(/Macro file/).waitFor();
    await upload('/macros/global', 'for everybody');
    await upload('/macros/group/OPS', 'for operations');
    expect(JSON.parse(fileOf('global')).macros[0].name).to.equal('for everybody');
    const macros = await terminalOf(BERT);
    const { terminal } = macros;
    await terminal.signOn();
    await terminal.free();
    await macros.openList();
    const shown = await macros.dialog.innerText();
    expect(shown).to.include('for everybody').and.include('for operations').and.not.include('to Ada');
    await macros.button('Run for everybody').click();
    await terminal.shows('ADA LOVELACE');
  });

  it('ends the terminal when its user signs off in another page', async () => {
    const macros = await terminalOf(ANNA);
    const { terminal, page } = macros;
    await terminal.signOn();
    await terminal.free();
    const other = await page.context().newPage();
    await other.goto(named(here.site.clientUrl, '/'));
    expect(await other.getByText('Signed on as').innerText()).to.include('ANNA');
    await other.getByRole('button', { name: 'Sign off' }).click();
    await eventually(async () => ((await other.getByText('Signed on as').count()) === 0 ? true : undefined));
    // the session was begun with the sign-on, and ends with it
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
  });
});
