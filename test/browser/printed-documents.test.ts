import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { faultsAtAllWidths, violations } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

/** Looked at by whoever runs it with a folder. */
const PICTURES = process.env.SALLYPORT_PICTURES;

describe('printed documents at the terminal', () => {
  const here = siteInBrowser(() =>
    startTerminalSite({
      printers: 'DESK: { host: MENU, associate: true }',
      transactions: [
        'MENU: { applicationType: 1, application: MENU, page: TERMINAL.HTML, printer: DESK }',
        'w2h: { applicationType: 4, application: W2H-DIR }',
      ].join('\n      '),
      hosts: 'MENU: { simulated: true, start: MENU }',
    }),
  );
  let terminal: TerminalPage;

  afterEach(() => terminal.close());

  async function printStatement(options = {}, all = 'All documents'): Promise<void> {
    terminal = await TerminalPage.atMenu(here.browser, named(here.site.url, '/TERMINAL.HTML+MENU'), options);
    await terminal.choose('P', 'PRINT');
    await eventually(async () => {
      await terminal.press('Enter');
      await terminal.free();
      return (await terminal.text()).includes('was printed') || undefined;
    });
    await terminal.page.getByRole('button', { name: all }).waitFor();
  }

  const picture = async (name: string) => {
    if (PICTURES !== undefined) await terminal.page.screenshot({ path: `${PICTURES}/${name}.png` });
  };

  it('are told, listed and opened by keyboard; axe finds nothing', async () => {
    await printStatement({ locale: 'en-GB' });
    const { page } = terminal;
    await page.getByText('A document of 2 pages was printed.').first().waitFor();
    await picture('notice-1440');
    expect(await violations(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'All documents' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Printed documents' });
    await dialog.getByRole('link', { name: 'PDF' }).waitFor();
    expect(await dialog.getByRole('row').count()).to.equal(2);
    expect(await dialog.getByRole('row').nth(1).textContent()).to.match(/new\s*2\s*PDF Text/);
    // as in Britain: the day stands first
    expect(await dialog.getByRole('row').nth(1).textContent()).to.match(/^\d\d\/\d\d\/20\d\d, \d\d:\d\d:\d\d – new/);
    await picture('list-1440');
    expect(await faultsAtAllWidths(page, [390, 1440], 844)).to.deep.equal([]);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Text' }).press('Enter'),
    ]);
    await eventually(async () =>
      ((await opened.textContent('body')) ?? '').includes('SALLYPORT SAVINGS BANK') ? true : undefined,
    );
    await opened.close();
    await page.bringToFront();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await terminal.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).waitFor();
    await page.keyboard.type('printed documents');
    await page.getByRole('option', { name: 'Printed documents' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    expect(await dialog.getByRole('row').nth(1).textContent()).not.to.include('new');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(terminal.complaints).to.deep.equal([]);
    // a server that is slow, and then fails: what is waited for is seen, and asked for again
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/PrintSvcSession/, async (route) => {
      await held;
      await route.fulfill({ status: 500, body: 'no list' });
    });
    await terminal.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).waitFor();
    await page.keyboard.type('printed documents');
    await page.getByRole('option', { name: 'Printed documents' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('status').getByText('Loading the documents …').waitFor();
    answer();
    await dialog.getByRole('status').getByText('The documents could not be listed. Try again.').waitFor();
    await page.unroute(/PrintSvcSession/);
    await dialog.getByRole('button', { name: 'Try again' }).press('Enter');
    await dialog.getByRole('link', { name: 'PDF' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Close');
  });

  for (const [percent, isNearlyFull, notice] of [
    [79, false, ''],
    [80, true, 'The printer is 80 % full of unopened documents. Open them, or it will accept no more.'],
    [100, true, 'The printer is full of unopened documents and accepts no more. Open documents to make room.'],
  ] as const) {
    it(`are listed with a notice of a full spool, from 80 % on: ${percent} %`, async () => {
      await printStatement({ locale: 'en-GB' });
      const { page } = terminal;
      const document = { number: 1, name: 'a', printed: '2027-01-01T09:30:00.000Z', pages: 1, isComplete: true };
      const json = { documents: [{ ...document, isNew: true }], spool: { percent, isNearlyFull } };
      await page.route(/PrintSvcSession/, (route) => route.fulfill({ json }));
      await page.getByRole('button', { name: 'All documents' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Printed documents' });
      await dialog.getByRole('link', { name: 'PDF' }).waitFor();
      expect(await dialog.locator('[role="status"]').textContent()).to.equal(notice);
      expect(await dialog.locator('[role="status"]').isVisible()).to.equal(isNearlyFull);
    });
  }

  it('are told on a phone in the dark, in German, and the list fits', async () => {
    const phone = { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 844 } };
    await printStatement(phone, 'Alle Dokumente');
    await picture('notice-390');
    expect(await violations(terminal.page)).to.deep.equal([]);
    await terminal.page.getByRole('button', { name: 'Alle Dokumente' }).click();
    const dialog = terminal.page.getByRole('dialog', { name: 'Gedruckte Dokumente' });
    await dialog.getByRole('link', { name: 'PDF' }).waitFor();
    expect(await violations(terminal.page)).to.deep.equal([]);
    await picture('list-390');
    const overflow = await terminal.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).to.equal(0);
  });
});
