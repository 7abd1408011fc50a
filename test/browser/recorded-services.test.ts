import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../src/access/tokens/file-token-store.js';
import { TokenAdministration } from '../../src/access/tokens/token-administration.js';
import { ADMINISTRATOR, ANNA, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { colourRules, violations } from './axe.js';
import { MacroPage } from './macro-page.js';
import { resized } from './resized.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, TerminalPage } from './terminal-page.js';

const CANARY = 'demo';

describe('services that are made of recordings, in Chromium', () => {
  const services = mkdtempSync(join(tmpdir(), 'sallyport-recorded-'));
  cpSync(join(projectFolder, 'templates', 'services'), services, { recursive: true });
  const here = siteInBrowser(() =>
    startPortalSite({
      entryPoint: '    services: true',
      yaml: `services: '${services}'
pools:
  ACCOUNTS: { host: SIM, ready: 1, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }`,
    }),
  );
  after(() => rmSync(services, { recursive: true }));
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  async function signedOn(viewport = { width: 1280, height: 800 }): Promise<MacroPage> {
    const url = named(here.site.clientUrl, '/TERMINAL.HTML+TSO4');
    const terminal = await TerminalPage.open(here.browser, url, { viewport });
    contexts.push(terminal.page.context());
    await terminal.page.getByLabel('User ID').fill(ANNA.name);
    await terminal.page.getByLabel('Password').fill(ANNA.password);
    await terminal.page.getByRole('button', { name: 'Sign on' }).click();
    await terminal.shows('Userid');
    await terminal.free();
    return new MacroPage(terminal);
  }

  const signOnAtHost = async (macros: MacroPage) => {
    const { terminal } = macros;
    await terminal.type('demo');
    await terminal.press('Tab');
    await terminal.type(CANARY);
    await terminal.press('Enter');
    await terminal.shows('Option ===>');
    await terminal.free();
  };
  const goTo = async ({ terminal }: MacroPage, key: string, text: string) => {
    await terminal.press(key);
    await terminal.shows(text);
    await terminal.free();
  };
  const box = (macros: MacroPage, label: string): Locator => macros.dialog.getByLabel(label, { exact: true });
  const barButton = ({ page }: MacroPage, name: string): Locator =>
    page.getByRole('region', { name: 'Recording' }).getByRole('button', { name, exact: true });
  /** The drafts, as an administrator of the portal has them. */
  async function draftsPage(): Promise<Page> {
    const context = await here.browser.newContext({ acceptDownloads: true });
    contexts.push(context);
    const portal = await context.newPage();
    await portal.goto(named(here.site.portalUrl, '/drafts'));
    await portal.getByLabel('User ID').fill(ADMINISTRATOR.name);
    await portal.getByLabel('Password').fill(ADMINISTRATOR.password);
    await portal.getByRole('button', { name: 'Sign on' }).click();
    return portal;
  }
  async function downloaded(portal: Page, link: string, file: string): Promise<string> {
    const [download] = await Promise.all([
      portal.waitForEvent('download'),
      portal.getByRole('link', { name: link }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal(file);
    return readFileSync(await download.path(), 'utf8');
  }

  it('go from the recording to a draft by the keyboard alone, and are tried on the way', async () => {
    const macros = await signedOn();
    const { terminal, page } = macros;
    await signOnAtHost(macros);
    await macros.recordButton.click();
    await barButton(macros, 'Parameter').waitFor();
    await terminal.type('2');
    await goTo(macros, 'Enter', 'ACCT');
    await terminal.type('10000001');
    await terminal.press('Alt+p');
    await macros.dialog.getByText('Parameter of a service').waitFor();
    expect(await box(macros, 'Name').inputValue()).to.equal('accountNumber');
    expect(await violations(page)).to.deep.equal([]);
    await terminal.press('Enter');
    await macros.dialog.waitFor({ state: 'detached' });
    await goTo(macros, 'Enter', 'ADA LOVELACE');
    await terminal.press('Alt+x');
    await page.getByRole('application').waitFor();
    for (let column = 0; column < 29; column++) await terminal.press('Shift+ArrowRight');
    await page.getByRole('status').getByText('Row 6, columns 22 to 51').waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await terminal.press('Enter');
    await macros.dialog.getByText('Read by the service').waitFor();
    expect(await box(macros, 'Name').inputValue()).to.equal('name');
    await terminal.press('Enter');
    await page.getByText('Marked: 1 parameter, 1 text to read.').waitFor();
    await barButton(macros, 'Save as service').focus();
    await terminal.press('Enter');
    await box(macros, 'Name of the service').waitFor();
    await terminal.type('account-inquiry');
    await terminal.press('Enter');
    await box(macros, 'Service').waitFor();
    expect(await box(macros, 'Service').inputValue()).to.equal(
      `service: account-inquiry
parameters:
  accountNumber: { type: string, maxLength: 8, description: 'Account number' }
steps:
  - at: MENU
    fill:
      - { at: [3, 14], text: '2' }  # Option
    press: Enter
  - at: ACCT
    fill:
      - { at: [4, 22], text: '{accountNumber}' }  # Account number
    press: Enter
  - at: ACCT-2
    extract:
      name: { at: [6, 22], length: 30 }
`,
    );
    expect(await violations(page)).to.deep.equal([]);

    await box(macros, 'Service').fill((await box(macros, 'Service').inputValue()).replace('ACCT-2', 'ACCT-3'));
    await macros.button('Check').click();
    await macros.dialog.getByText('service.yaml, line 13, column 9: steps.2.at: there is no screen "ACCT-3"').waitFor();
    await box(macros, 'Service').fill((await box(macros, 'Service').inputValue()).replace('ACCT-3', 'ACCT-2'));
    await macros.button('Try it').click();
    await box(macros, 'accountNumber').fill('10000001');
    await macros.button('Try it now').click();
    await macros.dialog.getByText('The session must show the first screen of the service.').waitFor();
    await macros.button('Close').click();
    await goTo(macros, 'F3', 'ENTER=Inquire');
    await goTo(macros, 'F3', 'Option ===>');
    await barButton(macros, 'Open the service').click();
    await macros.button('Try it').click();
    await box(macros, 'accountNumber').fill('10000002');
    await macros.button('Try it now').click();
    const answer = macros.dialog.getByRole('region', { name: 'The answer' });
    await answer.waitFor();
    expect(JSON.parse(await answer.innerText()))
      .to.have.property('name')
      .that.matches(/^[A-Z ]+$/);
    await terminal.shows('10000002');
    expect(await violations(page)).to.deep.equal([]);
    await macros.button('Store for administrators').click();
    await terminal.says('Service account-inquiry was stored.');
    const folder = join(here.site.folder, 'data', 'services-drafts');
    const drafts = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
    expect(drafts.map(({ name, user }) => [name, user])).to.deep.equal([['account-inquiry', 'ANNA']]);
    // the form of the sign-on is answered with it
    expect(terminal.complaints.filter((words) => !words.includes('401'))).to.deep.equal([]);

    const portal = await draftsPage();
    await portal.getByRole('heading', { name: 'Drafts of services 1 draft' }).waitFor();
    expect(await violations(portal)).to.deep.equal([]);
    await portal.getByRole('link', { name: 'account-inquiry' }).click();
    await portal.getByText('Stored by ANNA').waitFor();
    await portal.getByText('because it has no pool').waitFor();
    const shown = portal.getByRole('region', { name: 'File of the service' });
    expect(await shown.innerText())
      .to.include('service: account-inquiry')
      .and.include("text: '{accountNumber}'");
    expect(await violations(portal)).to.deep.equal([]);
    expect(await downloaded(portal, 'Download the service', 'account-inquiry.yaml')).to.equal(drafts[0].service);
    await portal.getByRole('link', { name: 'Remove …' }).click();
    await portal.getByRole('button', { name: 'Remove the draft' }).click();
    await portal.getByText('The draft was removed.').waitFor();
    await portal.getByText('No drafts.').waitFor();
    expect(readdirSync(folder)).to.deep.equal([]);
    const trail = readFileSync(join(here.site.folder, 'data', 'audit.jsonl'), 'utf8');
    expect(trail).to.include('draft.stored').and.include('draft.removed');
  });

  it('are called over HTTP once an administrator has published the draft', async () => {
    const macros = await signedOn();
    const { terminal, page } = macros;
    await signOnAtHost(macros);
    await macros.recordButton.click();
    await barButton(macros, 'Parameter').waitFor();
    await terminal.type('2');
    await goTo(macros, 'Enter', 'ACCT');
    await terminal.type('10000001');
    await barButton(macros, 'Parameter').click();
    await macros.dialog.getByText('Parameter of a service').waitFor();
    await terminal.press('Enter');
    await macros.dialog.waitFor({ state: 'detached' });
    await goTo(macros, 'Enter', 'ADA LOVELACE');
    await terminal.press('Alt+x');
    await page.getByRole('application').waitFor();
    for (let row = 6; row < 10; row++) await terminal.press('ArrowDown');
    for (let column = 0; column < 14; column++) await terminal.press('Shift+ArrowRight');
    await page.getByRole('status').getByText('Row 10, columns 22 to 36').waitFor();
    await terminal.press('Enter');
    await macros.dialog.getByText('Read by the service').waitFor();
    expect(await box(macros, 'Name').inputValue()).to.equal('balance');
    await terminal.press('Enter');
    await page.getByText('Marked: 1 parameter, 1 text to read.').waitFor();
    await barButton(macros, 'Save as service').click();
    await box(macros, 'Name of the service').fill('balance-of');
    await macros.button('Continue').click();
    await box(macros, 'Service').waitFor();
    await macros.button('Store for administrators').click();
    await terminal.says('Service balance-of was stored.');

    const portal = await draftsPage();
    await portal.getByRole('link', { name: 'balance-of' }).click();
    await portal.getByText('because it has no pool').waitFor();
    expect(await downloaded(portal, 'Download the service', 'balance-of.yaml'))
      .to.include('steps:\n  - at: MENU\n')
      .and.include('balance: { at: [10, 22], length: 15, as: decimal }');
    await portal.getByRole('link', { name: 'Publish …' }).press('Enter');
    await portal.getByRole('heading', { name: 'Publish balance-of' }).waitFor();
    expect(await portal.getByLabel('Pool').inputValue()).to.equal('ACCOUNTS');
    // the shipped folder knows these screens by other conditions
    const conflicts = portal.getByRole('group');
    expect(await conflicts.count()).to.be.at.least(1);
    for (const [scheme, width] of [
      ['light', 1440],
      ['dark', 1024],
      ['light', 390],
      ['dark', 390],
    ] as const) {
      await portal.emulateMedia({ colorScheme: scheme });
      await resized(portal, width, 900);
      const rules = scheme === 'dark' ? colourRules : [];
      expect(await violations(portal, rules), `${scheme}, ${width}`).to.deep.equal([]);
      expect(await portal.evaluate('document.documentElement.scrollWidth - innerWidth'), `${width} fits`).to.be.at.most(
        0,
      );
    }
    await portal.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
    await portal.getByRole('alert').getByText('with other conditions exists').waitFor();
    for (const conflict of await conflicts.all()) await conflict.getByLabel('Keep both').press('Space');
    await portal.getByLabel('Name', { exact: true }).press('Enter');
    await portal.getByText('passes the check').waitFor();
    await portal.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
    await portal.getByRole('status').getByText('The service was published').waitFor();

    const data = (name: string) => join(here.site.folder, 'data', name);
    const audit = new FileAuditTrail({ file: data('audit.jsonl') });
    const token = await new TokenAdministration(new FileTokenStore(data('tokens.json')), audit).add(
      { who: 'test', from: 'test' },
      { name: 'caller', scopes: ['services'], days: 1 },
    );
    const call = async (accountNumber: string) => {
      const reply = await fetch(`${here.site.clientUrl}/api/v1/services/balance-of`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ accountNumber }),
      });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    };
    expect(await call('10000003')).to.deep.equal({ status: 200, body: { balance: '-125.50' } });
    const unknown = await call('99999999');
    expect([unknown.status, unknown.body.code, unknown.body.step]).to.deep.equal([409, 'guard-failed', 2]);
    expect(await call('10000004')).to.deep.equal({ status: 200, body: { balance: '777777.77' } });
  });

  it('have secret parameters for what is hidden, and nothing of what was typed there', async () => {
    const macros = await signedOn({ width: 390, height: 740 });
    const { terminal, page } = macros;
    await macros.recordButton.click();
    await barButton(macros, 'Parameter').waitFor();
    await terminal.type('demo');
    await terminal.press('Tab');
    await terminal.type('hushX7');
    await terminal.press('Enter');
    await terminal.shows('Userid or password is not valid');
    await terminal.free();
    await barButton(macros, 'Read').click();
    const cover = page.getByRole('application');
    const { x, y, width, height } = (await cover.boundingBox()) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    await page.mouse.move(x + (1.5 / 80) * width, y + (0.5 / 24) * height);
    await page.mouse.down();
    await page.mouse.move(x + (6.5 / 80) * width, y + (0.5 / 24) * height);
    await page.mouse.up();
    await macros.dialog.getByText('SIGNON', { exact: true }).waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await macros.button('Continue').click();
    await barButton(macros, 'Save as service').click();
    await box(macros, 'Name of the service').fill('9');
    await macros.button('Continue').click();
    await macros.dialog.getByText('begins with a letter').waitFor();
    await box(macros, 'Name of the service').fill('wrong-password');
    await macros.button('Continue').click();
    await box(macros, 'Service').waitFor();
    const file = await box(macros, 'Service').inputValue();
    expect(file).to.include("password: { type: string, maxLength: 8, secret: true, description: 'Password' }");
    expect(file).to.include("{ at: [10, 31], text: '{password}' }").and.include('value: { at: [1, 2], length: 6 }');
    expect(await violations(page)).to.deep.equal([]);
    await macros.button('Try it').click();
    await macros.dialog
      .getByText('This session encrypts hidden fields, which a trial does not support. Parameter: password.')
      .waitFor();
    await macros.button('Store for administrators').click();
    await terminal.says('Service wrong-password was stored.');
    const folder = join(here.site.folder, 'data');
    const kept = ['services-drafts', '.'].flatMap((name) =>
      readdirSync(join(folder, name), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(folder, name, entry.name), 'utf8')),
    );
    const stored = await page.evaluate('JSON.stringify(localStorage) + JSON.stringify(sessionStorage)');
    expect([...kept, here.site.log(), stored, file, terminal.sent.join()].join('\n')).to.not.match(/hushx7/i);
  });
});
