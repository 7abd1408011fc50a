import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, startPortalSite } from '../support/portal-site.js';
import { formsOf, PortalTraces } from '../web/portal-traces.js';
import { MacroPage } from './macro-page.js';
import { PortalPage } from './portal-page.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, TerminalPage } from './terminal-page.js';

/** As a user types it, and as the host folds it; not to be met anywhere by chance. */
const CANARY = 'zq7xkw9';
const FORMS = [CANARY, CANARY.toUpperCase()].flatMap(formsOf);
/** In code page 37, small and as the host folds it. */
const EBCDIC = ['a998f7a7d2a6f9', 'a998f7a792a6f9', 'e9d8f7e7d2e6f9'];

const KEPT =
  'JSON.stringify([localStorage, sessionStorage, document.documentElement.outerHTML, document.title, location.href])';

describe('a password in a recorded sign-on, in Chromium', () => {
  const here = siteInBrowser(() =>
    startPortalSite({
      entryPoint: '    services: true',
      // it travels in clear: what is kept is not saved by its encryption
      crypts: '',
    }),
  );
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  function expectNone(text: string, where: string): void {
    const small = text.toLowerCase();
    for (const form of [...FORMS, ...EBCDIC])
      expect(small.includes(form.toLowerCase()), `${form} in ${where}`).to.equal(false);
  }

  it('is in no macro, no draft of a service, no storage of the browser, no file, log or trace of the server', async () => {
    const traces = await PortalTraces.of(here.site);
    const { admin } = traces;
    const line = await traces.begin('line', 'C-HTTP');
    const terminal = await TerminalPage.open(here.browser, named(here.site.clientUrl, '/TERMINAL.HTML+TSO4'));
    contexts.push(terminal.page.context());
    const { page } = terminal;
    const macros = new MacroPage(terminal);
    await page.getByLabel('User ID').fill(ANNA.name);
    await page.getByLabel('Password').fill(ANNA.password);
    await page.getByRole('button', { name: 'Sign on' }).click();
    await terminal.shows('Userid');
    await terminal.free();
    const [, id = ''] = /"\/sessions\/([^"]+)"/.exec((await admin.request('/sessions')).text) ?? [];
    const session = await traces.begin('session', id);

    const signOn = async () => {
      await macros.recordButton.click();
      await terminal.says('Recording');
      await terminal.type('DEMO');
      await terminal.press('Tab');
      await terminal.type(CANARY);
      expectNone(await page.evaluate<string>(KEPT), 'the page while it is typed');
      await terminal.press('Enter');
      await terminal.shows('Userid or password is not valid');
      await terminal.free();
    };
    await signOn();
    await macros.save('sign on');
    expectNone(await page.evaluate<string>(KEPT), 'the page with the macro');

    await page.reload();
    await terminal.shows('Userid');
    await terminal.free();
    await terminal.press('Home');
    await signOn();
    await page.getByRole('region', { name: 'Recording' }).getByRole('button', { name: 'Save as service' }).click();
    await macros.dialog.getByLabel('Name of the service').fill('sign-on-again');
    await macros.button('Continue').click();
    const draft = macros.dialog.getByLabel('Service', { exact: true });
    await draft.waitFor();
    expect(await draft.inputValue())
      .to.include('secret: true')
      .and.include("text: '{password}'");
    expectNone(await page.evaluate<string>(KEPT), 'the page with the draft');
    expectNone(await draft.inputValue(), 'the draft');
    await macros.button('Store for administrators').click();
    await terminal.says('Service sign-on-again was stored.');

    const portal = await PortalPage.signedOn(here.browser, here.site, ADMINISTRATOR);
    contexts.push(portal.context);
    for (const path of ['/macros/user/ANNA', '/drafts', '/logs', '/audit', '/sessions', '/traces']) {
      await portal.go(path);
      expectNone(await portal.page.content(), `the portal's ${path}`);
    }
    // both sign-ons, with the password masked
    await eventually(async () => {
      const records = (await admin.request(`${session}/trace.trc`)).text.matchAll(/> enter at .*SBA\(10,31\) '\*{7}'/g);
      return [...records].length === 2 || undefined;
    });
    for (const place of [`${session}/trace.txt`, `${session}/trace.trc`, `${line}/trace.txt`]) {
      const { status, text } = await admin.request(place);
      expect(status, place).to.equal(200);
      expectNone(text.replace(/\s/g, ''), place);
    }
    const files = readdirSync(here.site.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const places = files.map(({ parentPath, name }) => join(parentPath, name));
    expect(places.join('\n')).to.include('macros.json').and.include('services-drafts').and.include('traces');
    for (const place of places) expectNone(readFileSync(place, 'latin1'), place);
    expectNone(here.site.log(), 'the log');
  });
});
