import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { PortalClient } from '../web/portal-client.js';
import { colourRules, hasAxe, violations } from './axe.js';
import { PortalPage } from './portal-page.js';
import { browserFor, leaveBrowser } from './shared-browser.js';

describe('lines, traces and the configuration in a browser', () => {
  let browser: Browser | undefined;
  let site: PortalSite | undefined;
  let portal: PortalPage;

  before(async function () {
    browser = await browserFor(this);
    site = await startPortalSite({
      crypts: '',
      hosts: "AWAY: { address: '127.0.0.1:9' }, ",
      yaml: `services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, home: MENU, returnHome: [PF3, PF3] }
printers:
  DESK: { host: SIM, associate: true }
  LABELS: { host: SIM, luName: PRT00018, groups: [OPS] }
  STATEMENTS-OF-A-LONG-NAME-OF-32C: { host: AWAY, output: { folder: ./printed } }`,
    });
    portal = await PortalPage.signedOn(browser, site);
    const file = join(site.folder, 'sallyport.yaml');
    const changed = readFileSync(file, 'utf8').replace(
      'lastPage: BYE.HTML',
      'lastPage: BYE.HTML\n    timeoutMinutes: 60',
    );
    writeFileSync(file, changed.replace('keysReady: 0', 'keysReady: 1'));
  });
  after(async () => {
    await portal?.close();
    await site?.stop();
    await leaveBrowser();
  });

  it('have no fault that axe knows, and fit, wide and narrow, light and dark', async () => {
    const paths = [
      '/lines',
      '/lines/C-HTTP',
      '/lines/C-HTTP/stop',
      '/loaded',
      '/loaded/services/account-inquiry',
      '/configuration',
      '/configuration/reload',
      '/traces',
    ];
    await hasAxe(portal.page);
    for (const path of paths) {
      await portal.go(path);
      for (const [colorScheme, width] of [
        ['light', 1440],
        ['dark', 390],
      ] as const) {
        await portal.page.emulateMedia({ colorScheme });
        await portal.page.setViewportSize({ width, height: 844 });
        const rules = colorScheme === 'dark' ? colourRules : [];
        expect(await violations(portal.page, rules), `${path} ${colorScheme}`).to.deep.equal([]);
        const overhang = await portal.page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overhang, `${path} fits ${width}`).to.be.at.most(0);
      }
    }
    expect(portal.complaints).to.deep.equal([]);
  });

  it('are operated by the keyboard alone', async () => {
    await portal.go('/traces?kind=line&subject=W-HTTP');
    await portal.tabTo('Start the trace');
    await portal.keys('Enter');
    await portal.says('The trace was started.');
    await portal.page.setViewportSize({ width: 390, height: 844 });
    expect(await violations(portal.page)).to.deep.equal([]);
    const stop = portal.page.getByRole('button', { name: 'Stop line-W-HTTP-' });
    const trace = ((await stop.getAttribute('aria-label')) ?? '').replace('Stop ', '');
    await portal.tabTo(`Stop ${trace}`);
    await portal.keys('Enter');
    await portal.says('The trace was stopped');
    await portal.follow(`Remove ${trace}`, `Remove the trace ${trace}?`);
    await portal.tabTo('Remove the trace');
    await portal.keys('Enter');
    await portal.says('The trace was removed');
    await portal.go('/lines');
    await portal.follow('C-HTTP', 'Line C-HTTP');
    await portal.follow('Drain …', 'Drain line C-HTTP?');
    await portal.tabTo('Drain C-HTTP');
    await portal.keys('Enter');
    await portal.says('The line is drained');
    // in a narrow window the navigation is a menu
    await portal.tabTo('Menu');
    await portal.keys('Enter');
    await portal.follow('Configuration', 'Configuration');
    await portal.follow('Check and reload …', 'Check and reload');
    await portal.tabTo('Reload');
    await portal.keys('Enter');
    await portal.says('Some changes need a restart.');
  });

  it('change while they are looked at, and what has the focus keeps it', async () => {
    const { page } = portal;
    await portal.go('/lines');
    await page.locator('#live[data-state="live"]').waitFor();
    await page.locator('#as-of').waitFor({ state: 'hidden' });
    const link = page.getByRole('link', { name: 'Drain … (ACCOUNTS)' });
    await link.waitFor();
    await page.getByRole('link', { name: 'C-HTTP' }).focus();
    const operator = await PortalClient.signedOn(site as PortalSite, OPERATOR);
    // the test before this one has drained it
    expect((await operator.post('/lines/C-HTTP/start', {})).status).to.equal(303);
    await page.locator('section[data-live="inbound-lines"]').getByText('Drained').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('C-HTTP');
    await link.click();
    await portal.heading('Drain pool ACCOUNTS?');
    await portal.tabTo('Drain ACCOUNTS');
    await portal.keys('Enter');
    await portal.says('The pool is drained');
    expect((await operator.post('/pools/ACCOUNTS/resume', {})).status).to.equal(303);
    await page.getByRole('link', { name: 'Drain … (ACCOUNTS)' }).waitFor();
    expect(portal.complaints).to.deep.equal([]);
  });
});
