import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { faultsAtAllWidths, violations } from './axe.js';
import { PortalPage } from './portal-page.js';
import { browserFor, leaveBrowser } from './shared-browser.js';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

describe('the console in a browser', () => {
  let browser: Browser | undefined;
  let site: PortalSite | undefined;
  let portal: PortalPage;
  let page: Page;
  let users: BrowserContext;

  before(async function () {
    browser = await browserFor(this);
    site = await startPortalSite({
      crypts: '',
      clientLine: 'limits: { sessionsPerAddress: 300, sessionStartsPerAddress: 1000 }',
      transactions: '      CLEAR: { applicationType: 1, application: SIM, page: TERMINAL.HTML }',
    });
    portal = await PortalPage.signedOn(browser, site, undefined, { viewport: DESK });
    page = portal.page;
    users = await browser.newContext({ locale: 'en-GB' });
  });
  after(async () => {
    await portal?.close();
    await users?.close();
    await leaveBrowser();
    await site?.stop();
  });

  const rows = () => page.locator('#session-list tbody tr');
  const isLive = () => page.locator('#live[data-state="live"]').waitFor();
  async function terminal(): Promise<Page> {
    const opened = await users.newPage();
    await opened.goto(`${site?.clientUrl}/TERMINAL.HTML+CLEAR`);
    await opened.getByText('Sallyport simulated host').first().waitFor();
    return opened;
  }
  async function leave(user: Page): Promise<void> {
    await user.getByRole('button', { name: 'Disconnect' }).click();
    await user.getByRole('button', { name: 'End the session' }).click();
    await user.getByText('Sallyport simulated host').first().waitFor({ state: 'detached' });
    await user.close();
  }
  async function fits(name: string): Promise<void> {
    expect(await faultsAtAllWidths(page, [DESK.width, PHONE.width], DESK.height), name).to.deep.equal([]);
    await page.setViewportSize(DESK);
  }

  it('shows sessions as they come and go, finds them as one types, and sorts them', async () => {
    await portal.go('/sessions');
    await isLive();
    const first = await terminal();
    const second = await terminal();
    await rows().nth(1).waitFor();
    const unit = await rows().nth(0).locator('[data-label="LU"]').innerText();
    expect(unit).to.match(/^SIM\d+$/);
    await page.getByRole('searchbox').fill(`clear ${unit}`);
    await page.getByText('1 of 2', { exact: true }).waitFor();
    expect(await rows().count()).to.equal(1);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('columnheader', { name: 'LU' }).getByRole('link').click();
    expect(await page.getByRole('columnheader', { name: 'LU' }).getAttribute('aria-sort')).to.equal('ascending');
    expect(await rows().nth(1).locator('[data-label="LU"]').innerText()).to.equal(unit);
    await fits('sessions');
    for (const one of [first, second]) await leave(one);
    await page.getByText('No session found.').waitFor();
  });

  it('can be used by the keyboard alone: from the search to a session, a message, its end', async () => {
    const user = await terminal();
    await portal.go('/sessions');
    await isLive();
    await portal.keys('/');
    await page.keyboard.type('clear');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await portal.keys('ArrowDown', 'Enter');
    await portal.heading('Session of a user without a sign-on');
    await fits('a session');
    await portal.tabTo('MESSAGE');
    await page.keyboard.type('We restart at noon.');
    await portal.keys('Enter');
    await portal.says('The message was sent.');
    await user.getByText('Operator admin: We restart at noon.').first().waitFor();
    expect(await violations(user)).to.deep.equal([]);
    await user.getByRole('button', { name: 'Got it' }).click();
    await user.reload();
    await user.getByText('Sallyport simulated host').first().waitFor();
    expect(await user.locator('.notice').count()).to.equal(0);
    await portal.follow('End the session', 'End the session of a user without a sign-on?');
    await portal.tabTo('End the session');
    await portal.keys('Enter');
    await portal.says('The session is ending.');
    await user.getByText('An operator has ended the session.').first().waitFor();
    await user.close();
  });

  it('shows who watches what its user sees, who is told as long as it lasts', async () => {
    const user = await terminal();
    await portal.go('/sessions');
    await isLive();
    await rows().getByRole('link').first().click();
    await page.getByRole('link', { name: 'Watch the session' }).click();
    await page.locator('#screen').getByText('Sallyport simulated host').waitFor();
    await user.getByText('This session is being watched by admin.').first().waitFor();
    expect(await violations(user)).to.deep.equal([]);
    await user.keyboard.type('DEMO');
    await user.keyboard.press('Enter');
    await page.locator('#screen').getByText('is not valid').waitFor();
    expect(await page.locator('#screen input').first().isEditable()).to.equal(false);
    await fits('a watched session');
    await page.getByRole('link', { name: 'Stop watching' }).click();
    await user.locator('.watched').waitFor({ state: 'detached' });
    await leave(user);
  });

  it('turns pages of a hundred sessions, and stays where it is while others begin', async () => {
    for (let at = 0; at < 120; at++) {
      const response = await fetch(`${site?.clientUrl}/TERMINAL.HTML+CLEAR`, {
        headers: { Accept: 'application/json' },
      });
      expect(response.status).to.equal(200);
      await response.text();
    }
    await portal.go('/sessions');
    await isLive();
    await page.getByText('Page 1 of 2').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    expect(await rows().count()).to.equal(20);
    const user = await terminal();
    await page.getByText('121', { exact: true }).waitFor();
    expect(await rows().count()).to.equal(21);
    await user.close();
  });

  it('lists them without JavaScript, too', async () => {
    const plain = await PortalPage.signedOn(browser as Browser, site as PortalSite, OPERATOR, {
      javaScriptEnabled: false,
    });
    await plain.go('/sessions');
    await plain.page.getByText('Page 1 of 2').waitFor();
    await plain.page.getByRole('link', { name: 'Next' }).click();
    await plain.page.getByText('Page 2 of 2').waitFor();
    await plain.page.getByRole('searchbox').fill('nowhere');
    await plain.press('Search');
    await plain.page.getByText('No session found.').waitFor();
    await plain.close();
  });

  it('shows lines of the log as they come, and lets them wait', async () => {
    const log = (site as PortalSite).logTo;
    await portal.go('/log?level=warn');
    await isLive();
    log.info('below what is asked for');
    log.warn('<b>came live</b>');
    await page.getByText('<b>came live</b>').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    log.warn('waited');
    await page.getByText('Paused; new lines: 1.').waitFor();
    expect(await page.getByText('waited', { exact: true }).count()).to.equal(0);
    await fits('the log');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('waited', { exact: true }).waitFor();
    expect(await page.locator('#log-lines tbody tr').first().innerText()).to.include('waited');
    expect(await page.getByText('below what is asked for').count()).to.equal(0);
  });

  it('complains of nothing', () => {
    expect(portal.complaints).to.deep.equal([]);
  });
});
