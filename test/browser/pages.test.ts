import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { DemoCurrencyService } from '../../src/demo/currency-service/demo-currency-service.js';
import { silentLog } from '../../src/lib/log/log.js';
import { type RunningSite, startSite } from '../support/site.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { TerminalPage } from './terminal-page.js';

/** The shipped pages in a real browser. */
describe('pages in Chromium', () => {
  const service = new DemoCurrencyService({ host: '127.0.0.1', port: 0, log: silentLog });
  let browser: Browser | undefined;
  let site: RunningSite | undefined;
  let serviceUrl = '';

  before(async function () {
    browser = await browserFor(this);
    ({ url: serviceUrl } = await service.start());
    site = await startSite({ service: new URL(serviceUrl).host, maxTime: 1000, log: silentLog });
  });

  after(async () => {
    await leaveBrowser();
    await site?.stop();
    await service.stop();
  });

  function here(): Browser {
    if (browser === undefined) throw new Error('no browser');
    return browser;
  }

  async function open(url: string, width: number): Promise<{ page: Page; complaints: string[] }> {
    const context = await here().newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    return { page, complaints };
  }

  it('asks for a rate with the keyboard alone, and shows the record', async () => {
    const { page, complaints } = await open(`${site?.url}/`, 1280);
    await page.getByRole('link', { name: 'For programs: a service to try' }).press('Enter');
    await page.getByRole('heading', { name: 'Ask for an exchange rate' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.name')).to.equal('FROMCURRENCY');
    await page.keyboard.press('Tab');
    await page.keyboard.type('GBP');
    await page.keyboard.press('Enter');
    await page.getByText('Answer is 00.7312').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).textContent()).to.equal('EUR to GBP');
    await page.getByRole('link', { name: 'Ask again' }).click();
    await page.getByRole('heading', { name: 'Ask for an exchange rate' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('shows what a client sends as text, never as markup', async () => {
    const hostile = encodeURIComponent('"><img src=x onerror=document.title="owned">');
    const { page } = await open(`${site?.url}/WS1.HTML+WS4?FROMCURRENCY=${hostile}&TOCURRENCY=USD`, 1280);
    expect(await page.locator('img').count()).to.equal(0);
    expect(await page.title()).to.equal('Exchange rate');
  });

  it('makes the demo service fail from its page, and the answer follows', async () => {
    const { page, complaints } = await open(`${serviceUrl}/`, 1280);
    await page.getByLabel('Answer', { exact: true }).selectOption('not-xml');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Now: not-xml').waitFor();
    const answer = await fetch(`${site?.url}/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD`);
    expect(await answer.text()).to.equal(`1${' '.repeat(96)}`);
    await page.getByLabel('Answer', { exact: true }).selectOption('none');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Now: none').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('prints a first page with what the README says', async () => {
    const terminal = await TerminalPage.open(here(), `${site?.url}/TERMINAL.HTML+TSO`);
    try {
      await terminal.signOn();
      await terminal.choose('P', 'PRINT');
      await terminal.press('Enter');
      await terminal.page.getByText('A document of 2 pages was printed.').first().waitFor();
      await terminal.page.getByRole('button', { name: 'All documents' }).click();
      const [opened] = await Promise.all([
        terminal.page.context().waitForEvent('page'),
        terminal.page.getByRole('dialog').getByRole('link', { name: 'Text' }).click(),
      ]);
      await opened.getByText('SALLYPORT SAVINGS BANK').waitFor();
      expect(terminal.complaints).to.deep.equal([]);
    } finally {
      await terminal.close();
    }
  });

  it('fits every page into a phone', async () => {
    for (const url of [
      `${site?.url}/`,
      `${site?.url}/DEMO.HTML`,
      `${site?.url}/WS1.HTML+WS4?FROMCURRENCY=EUR&TOCURRENCY=XXX`,
      `${site?.administrationUrl}/`,
      `${site?.url}/NONE.HTML`,
      `${serviceUrl}/`,
    ]) {
      const { page } = await open(url, 360);
      const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overhang, url).to.be.at.most(0);
    }
  });
});
