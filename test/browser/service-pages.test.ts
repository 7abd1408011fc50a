import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../src/access/tokens/file-token-store.js';
import { TokenAdministration } from '../../src/access/tokens/token-administration.js';
import { startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { colourRules, violations } from './axe.js';
import { resized } from './resized.js';
import { siteInBrowser } from './site-in-browser.js';
import { named } from './terminal-page.js';

/** On the form of the simulated host: a link, a button, a list, a check box. */
const DECLARED = `         SCENARIO OUTPUT
         DECLARE$ (1,30,8),AS-HREF,URL='/declared'
         DECLARE$ (24,16,2),AS-PFKEY,KEY=PF3
         FIELD$ (4,40,8),DEFINE-CHOICE,'10000001',('10000002','the other')
         FIELD$ (10,40,35),IS-BINARY-CHOICE,ON='URGENT'
         SCENARIO END
`;

describe('pages of services and of declarations, in Chromium', () => {
  const scenarios = mkdtempSync(join(tmpdir(), 'sallyport-declared-'));
  writeFileSync(join(scenarios, 'DECLARED.scn'), DECLARED);
  const here = siteInBrowser(() =>
    startPortalSite({
      crypts: '',
      entryPoint: '    services: true',
      transactions:
        "      FORM: { applicationType: 1, application: MENU, page: TERMINAL.HTML, tioaAtLogon: '3&/A', outputScenario: DECLARED }",
      hosts: 'MENU: { simulated: true, start: MENU }, ',
      yaml: `scenarios: '${scenarios}'
services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, ready: 0, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }`,
    }),
  );
  after(() => rmSync(scenarios, { recursive: true }));

  async function looksWell(page: Page, name: string): Promise<void> {
    for (const [colorScheme, rules] of [
      ['dark', colourRules],
      ['light', []],
    ] as const) {
      for (const width of [1440, 1024, 390]) {
        await page.emulateMedia({ colorScheme });
        await resized(page, width, 844);
        expect(await violations(page, rules), `${name}, ${colorScheme}, ${width}`).to.deep.equal([]);
      }
    }
  }

  it('have no fault that axe knows where programs are told what they may call', async () => {
    const data = (file: string) => join(here.site.folder, 'data', file);
    const audit = new FileAuditTrail({ file: data('audit.jsonl') });
    const token = await new TokenAdministration(new FileTokenStore(data('tokens.json')), audit).add(
      { who: 'test', from: 'test' },
      { name: 'reader', scopes: ['services'], days: 1 },
    );
    const context = await here.browser.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${token}` } });
    const page = await context.newPage();
    await page.goto(named(here.site.clientUrl, '/api/v1/'));
    await page.getByText('account-inquiry').first().waitFor();
    await looksWell(page, 'api');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    await context.close();
  });

  it('are drawn as part of the screen where scenarios declare areas and fields, without scripts', async () => {
    const context = await here.browser.newContext();
    const page = await context.newPage();
    // what the server has drawn; axe itself is a script
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(named(here.site.clientUrl, '/TERMINAL.HTML+FORM'));
    const screen = page.locator('pre', { hasText: 'From account' });
    const looks = (selector: string, property: string) =>
      screen
        .locator(selector)
        .first()
        .evaluate(
          (element, name) => element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(name),
          property,
        );
    for (const selector of ['a.svc-area', 'button.svc-area']) {
      expect(await looks(selector, 'text-decoration-line'), selector).to.equal('underline');
      expect(await looks(selector, 'padding-left'), selector).to.equal('0px');
      expect(await looks(selector, 'background-color'), selector).to.equal('rgba(0, 0, 0, 0)');
    }
    // nothing pushes its row apart
    const heights = await screen.evaluate((element) => {
      const line = Number.parseFloat(element.ownerDocument.defaultView?.getComputedStyle(element).lineHeight ?? '');
      return [...element.querySelectorAll('a, button, select, input')].map(
        (part) => part.getBoundingClientRect().height / line,
      );
    });
    expect(heights.length).to.be.at.least(5);
    for (const height of heights) expect(height).to.be.at.most(1.3);
    for (const part of [
      page.getByRole('combobox'),
      page.getByRole('checkbox'),
      page.getByRole('link', { name: 'Transfer' }),
    ]) {
      await part.focus();
      expect(
        await part.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).outlineStyle),
      ).to.equal('solid');
    }
    await page.getByRole('combobox').selectOption('10000002');
    await page.getByRole('checkbox').check();
    await looksWell(page, 'declared');
    await page.getByRole('button', { name: 'F3' }).click();
    await page.getByText('Option ===>').first().waitFor();
    await context.close();
  });
});
