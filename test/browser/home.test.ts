import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startPortalSite } from '../support/portal-site.js';
import { violations } from './axe.js';
import { freshPage } from './fresh-page.js';
import { siteInBrowser } from './site-in-browser.js';

const applications = Array.from(
  { length: 12 },
  (_, at) =>
    `      APP${at}: { applicationType: 1, application: SIM, page: TERMINAL.HTML, description: Application ${at + 1} }`,
);

/** The application menu, for the one who wants to work. */
describe('the application menu in Chromium', () => {
  const here = siteInBrowser(() => startPortalSite({ crypts: '', transactions: applications.join('\n') }));
  let page: Page;

  beforeEach(async () => {
    page = await freshPage(here.browser, { viewport: { width: 1440, height: 900 } });
    await page.goto(here.site.clientUrl);
  });

  afterEach(() => page.context().close());

  const cards = () => page.locator('ul.menu > .card:visible');
  const focused = () => page.evaluate('document.activeElement?.textContent');

  it('is searched where there are many applications, by keys alone', async () => {
    const search = page.getByRole('searchbox', { name: 'Search' });
    const all = await cards().count();
    expect(all).to.be.at.least(12);
    await page.getByRole('heading', { name: `Applications ${all}` }).waitFor();
    await page.keyboard.press('/');
    expect(await search.evaluate('document.activeElement === document.querySelector("input[type=search]")')).to.equal(
      true,
    );
    await page.keyboard.type('application 1');
    // Application 1, 10, 11, 12, and that of APP1
    expect(await cards().count()).to.equal(5);
    await page.keyboard.type('x');
    await page.getByRole('status').getByText('No application found.').waitFor();
    expect(await violations(page)).to.deep.equal([]);
    await search.fill('application');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).to.include('Application 1');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).to.include('Application 2');
    await page.keyboard.press('/');
    await search.fill('app4');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/TERMINAL.HTML**');
    await page.locator('#screen .row').first().waitFor();
    await page.goto(here.site.clientUrl);
    expect(await page.getByRole('region', { name: 'Your sessions' }).textContent()).to.match(
      /Application 5.*APP4 on SIM/s,
    );
  });

  it('asks before it ends a session, which Esc leaves', async () => {
    await page.getByRole('link', { name: 'Application 1 APP0' }).click();
    await page.locator('#screen .row').first().waitFor();
    await page.goto(here.site.clientUrl);
    const ending = page.getByRole('button', { name: 'End the session' });
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await ending.waitFor();
    expect(await page.locator('details').textContent()).to.match(/This ends the session with SIM, LU SIM\d+\./);
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await ending.waitFor({ state: 'hidden' });
    expect(await focused()).to.equal('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Your sessions' }).waitFor({ state: 'detached' });
  });

  it('tells the state of hosts and the tab that is seen without colours, too', async () => {
    await page.getByRole('link', { name: 'Application 1 APP0' }).click();
    await page.locator('#screen .row').first().waitFor();
    await page.goto(here.site.clientUrl);
    await page.emulateMedia({ forcedColors: 'active' });
    const dot = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'), '::before').backgroundColor`);
    const context = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await dot('.state.reached')).to.not.equal(context);
    await page.goto(`${here.site.clientUrl}/TERMINAL.HTML+APP1`);
    await page.locator('#screen .row').first().waitFor();
    await page.goto(`${here.site.clientUrl}/w2h/sessions`);
    const edge = (isSelected: boolean) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('[role=tab][aria-selected="${isSelected}"]')).borderTopColor`,
      );
    await page.getByRole('tab').nth(1).waitFor();
    expect(await edge(true)).to.not.equal(await edge(false));
  });
});
