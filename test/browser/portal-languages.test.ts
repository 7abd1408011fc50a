import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { hasAxe, violations } from './axe.js';
import { PortalPage } from './portal-page.js';
import { resized } from './resized.js';
import { browserFor, leaveBrowser } from './shared-browser.js';

const MACROS = '{"macros":[{"name":"SDSF <LOG>","rev":1,"def":["ENTER"]}],"fmt":2}';

const paths = [
  '/',
  '/sessions',
  '/lines',
  '/lines/C-HTTP',
  '/lines/C-HTTP/stop',
  '/pools/ACCOUNTS/drain',
  '/loaded',
  '/loaded/services/account-inquiry',
  '/configuration',
  '/configuration/reload',
  '/macros',
  '/macros/global',
  '/drafts',
  '/users',
  '/users/ANNA',
  '/users/ANNA/password',
  '/new/user',
  '/groups',
  '/tokens',
  '/log',
  '/traces',
  '/audit',
];

describe('the languages of the portal in Chromium', () => {
  let browser: Browser;
  let site: PortalSite;

  before(async function () {
    browser = await browserFor(this);
    site = await startPortalSite({
      crypts: '',
      transactions: '      CLEAR: { applicationType: 1, application: SIM, page: TERMINAL.HTML }',
      yaml: `services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, home: MENU, returnHome: [PF3, PF3] }
printers:
  DESK: { host: SIM, associate: true }`,
    });
    // the form is filled in in English; later browsers get the sign-on from here
    await (await PortalPage.signedOn(browser, site)).close();
  });
  after(async () => {
    await leaveBrowser();
    await site?.stop();
  });

  const languageOf = ({ page }: PortalPage) => page.evaluate<string>('document.documentElement.lang');

  it('are chosen by the keyboard, and stay in force, on the page where one is', async () => {
    const portal = await PortalPage.signedOn(browser, site);
    await portal.go('/users?search=a');
    expect(await languageOf(portal)).to.equal('en');
    await portal.tabTo('Deutsch');
    await portal.keys('Enter');
    await portal.heading('Benutzer');
    expect(new URL(portal.page.url()).pathname + new URL(portal.page.url()).search).to.equal('/users?search=a');
    expect(await portal.page.getByRole('button', { name: 'Deutsch' }).getAttribute('aria-current')).to.equal('true');
    await portal.follow('Makros', 'Makros');
    expect(await languageOf(portal)).to.equal('de');
    await portal.go('/macros/global');
    await portal.page.getByText('Oder legen Sie eine Datei hier ab.').waitFor();
    await portal.drop(`{"macros":[],"x":"${'x'.repeat(1_048_576)}"}`);
    await portal.warns('Sie hat 1.048.596 Bytes; höchstens 1.048.576 werden angenommen.');
    await portal.choose(MACROS);
    await portal.press('Hochladen');
    await portal.says('Die Makros wurden hochgeladen.');
    await portal.tabTo('Français');
    await portal.keys('Enter');
    await portal.heading('Macros de tous');
    expect(await portal.page.getByRole('status').getByText('envoyées').count()).to.equal(0);
    expect(portal.complaints).to.deep.equal([]);
    await portal.close();
  });

  it('are chosen without JavaScript, from the sign-on on', async () => {
    const portal = await PortalPage.open(browser, site, { javaScriptEnabled: false });
    const { page } = portal;
    await portal.go('/tokens');
    await portal.press('Deutsch');
    await portal.heading('Anmelden');
    await page.getByLabel('Benutzerkennung').fill(ADMINISTRATOR.name);
    await page.getByLabel('Passwort').fill(ADMINISTRATOR.password);
    await portal.press('Anmelden');
    await portal.heading('Zugriffstoken 0');
    await portal.press('Français');
    await portal.heading('Jetons d’accès 0');
    await page.getByLabel('Jours').fill('x');
    await page.getByLabel('Nom', { exact: true }).fill('one');
    await page.getByLabel('Portées').fill('services');
    await portal.press('Ajouter le jeton');
    await portal.warns('n’est pas possible');
    await page.getByRole('link', { name: 'Journal d’audit' }).click();
    await portal.heading('Journal d’audit');
    await portal.press('English');
    await portal.heading('Audit trail');
    await portal.close();
  });

  it('are those of live sessions and of the live log', async () => {
    const portal = await PortalPage.signedOn(browser, site, ADMINISTRATOR, { locale: 'de-DE' });
    const { page } = portal;
    await portal.go('/sessions');
    await page.getByText('Live: Diese Seite aktualisiert sich selbst.').waitFor();
    for (let at = 0; at < 2; at++) {
      const headers = { Accept: 'application/json' };
      await (await fetch(`${site.clientUrl}/TERMINAL.HTML+CLEAR`, { headers })).text();
    }
    const rows = page.locator('#session-list tbody tr', { hasText: 'CLEAR' });
    await rows.nth(1).waitFor();
    const cells = await rows.first().locator('td').allInnerTexts();
    expect(cells[0]).to.match(/^niemand angemeldet/);
    expect(cells[6]).to.match(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d UTC$/);
    expect(cells[7]).to.match(/^\d+\sSek\.$/);
    expect(await rows.first().locator('td').nth(6).getAttribute('data-label')).to.equal('Seit');
    await page.getByRole('searchbox').fill('niemand-da');
    await page.getByText(/^0 von \d+$/).waitFor();
    await portal.go('/log?level=warn');
    await page.getByText('Live: Diese Seite aktualisiert sich selbst.').waitFor();
    await page.getByRole('button', { name: 'Anhalten' }).click();
    site.logTo.warn('waited');
    await page.getByText('Angehalten; neue Zeilen: 1.').waitFor();
    await page.getByRole('button', { name: 'Fortsetzen' }).click();
    const message = page.locator('#log-lines tbody tr', { hasText: 'waited' }).locator('td').nth(2);
    expect(await message.getAttribute('data-label')).to.equal('Meldung');
    expect(portal.complaints).to.deep.equal([]);
    await portal.close();
  });

  for (const locale of ['de-DE', 'fr-FR']) {
    it(`have pages that fit, wide and narrow: ${locale}`, async () => {
      const portal = await PortalPage.signedOn(browser, site, ADMINISTRATOR, { locale });
      await hasAxe(portal.page);
      for (const path of paths) {
        await portal.go(path);
        for (const width of [1280, 390]) {
          await resized(portal.page, width, 844);
          const overhang = await portal.page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(overhang, `${path} at ${width}`).to.be.at.most(0);
        }
        expect(await violations(portal.page), path).to.deep.equal([]);
      }
      expect(portal.complaints).to.deep.equal([]);
      await portal.close();
    });
  }
});
