import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { faultsAtAllWidths, violations } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

/** Looked at by whoever runs it with a folder. */
const PICTURES = process.env.SALLYPORT_PICTURES;
const MEBIBYTE = 1 << 20;

const application = (host: string, further: string) =>
  `${host}: { applicationType: 1, application: ${host}, page: TERMINAL.HTML${further} }`;

describe('file transfer at the terminal', () => {
  const here = siteInBrowser(() =>
    startTerminalSite({
      transactions: [
        application('MENU', ', fileTransfer: { mebibytes: 1 }'),
        application('MENUSLOW', ', fileTransfer: {}'),
        application('MENUNONE', ''),
        'w2h: { applicationType: 4, application: W2H-DIR }',
      ].join('\n      '),
      hosts: [
        'MENU: { simulated: true, start: MENU }',
        'MENUSLOW: { simulated: true, start: MENU, faults: [slow-file] }',
        'MENUNONE: { simulated: true, start: MENU }',
      ].join('\n  '),
    }),
  );
  let terminal: TerminalPage;

  afterEach(() => terminal.close());

  async function atReady(transaction: string, options = {}): Promise<void> {
    terminal = await TerminalPage.atMenu(here.browser, named(here.site.url, `/TERMINAL.HTML+${transaction}`), options);
    await terminal.choose('T', 'READY');
  }

  /** By the list of all commands, with the keyboard. */
  async function open(command = 'Transfer a file'): Promise<Locator> {
    await terminal.press('Control+k');
    await terminal.page.getByRole('combobox').waitFor();
    await terminal.page.keyboard.type(command);
    await terminal.page.getByRole('option', { name: command }).waitFor();
    await terminal.page.keyboard.press('Enter');
    const dialog = terminal.page.getByRole('dialog', { name: command });
    await dialog.waitFor();
    return dialog;
  }

  const picture = async (name: string) => {
    if (PICTURES !== undefined) await terminal.page.screenshot({ path: `${PICTURES}/${name}.png` });
  };

  const told = (dialog: Locator, role: 'status' | 'alert', text: RegExp) =>
    eventually(async () => {
      const said = (await dialog.getByRole(role).first().textContent()) ?? '';
      return text.test(said) ? said : undefined;
    });

  async function received(dialog: Locator, name: string): Promise<Buffer> {
    const { page } = terminal;
    await dialog.getByRole('radio', { name: 'Receive a file from the host' }).check();
    await dialog.getByLabel('Name on the host').fill(name);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Transfer', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal(name);
    return readFileSync(await download.path());
  }

  it('sends a file and receives it again, by keyboard; axe finds nothing', async () => {
    await atReady('MENU');
    const { page } = terminal;
    const dialog = await open();
    // the focus is where a file is chosen
    expect(await page.evaluate('document.activeElement.type')).to.equal('file');
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).press('Enter');
    await told(dialog, 'alert', /Choose a file to send/);
    const text = 'Grüße vom Terminal\nsecond line\n';
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'annual report.2026.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    // what was wrong is mended, and is said no longer
    expect(await dialog.locator('.problem').textContent()).to.equal('');
    expect(await dialog.getByLabel('Name on the host').inputValue()).to.equal('ANNUALRE.F2026.TXT');
    await picture('send-1440');
    expect(await faultsAtAllWidths(page, [390, 1440], 844)).to.deep.equal([]);
    await dialog.getByText('More options').press('Enter');
    await dialog.getByLabel('Record format').selectOption('variable');
    await dialog.getByLabel('Record length').fill('133');
    const average = dialog.getByLabel('Bytes of an average block');
    expect(await average.isVisible()).to.equal(false);
    await dialog.getByLabel('Unit of space').selectOption('average blocks');
    expect(await average.isVisible()).to.equal(true);
    await dialog.getByLabel('Unit of space').selectOption('blocks');
    await picture('options-1440');
    expect(await faultsAtAllWidths(page, [390, 1440], 844)).to.deep.equal([]);
    await dialog.getByLabel('Name on the host').press('Enter');
    expect(await told(dialog, 'status', /were sent/)).to.match(
      /^33 bytes were sent to ANNUALRE\.F2026\.TXT on the host\.$/,
    );
    await picture('sent-1440');
    // receives it with keys alone: from the button back to what is done, and on to the name
    await dialog.getByRole('radio', { name: 'Send a file to the host' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await dialog.getByRole('radio', { name: 'Receive a file from the host' }).isChecked()).to.equal(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).to.include('Name on the host');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('ANNUALRE.F2026.TXT');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).to.equal('ANNUALRE.F2026.TXT');
    expect(readFileSync(await download.path(), 'utf8')).to.equal(text);
    await told(dialog, 'status', /^33 bytes were received and saved as ANNUALRE\.F2026\.TXT\.$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // typing goes on where it was
    await terminal.type('LISTCAT');
    await terminal.press('Enter');
    await terminal.shows('ANNUALRE.F2026.TXT');
    expect(terminal.complaints).to.deep.equal([]);
  });

  it('takes a file that is dropped on the page, every byte of it, as large as it may be; no larger one', async () => {
    await atReady('MENU');
    const { page } = terminal;
    const drop = (bytes: number) =>
      page.evaluate(`{
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from({ length: ${bytes} }, (_, at) => at & 255)], 'bytes.bin'));
        const target = document.querySelector('dialog[open] form') ?? document.querySelector('#screen');
        target.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }`);
    await drop(MEBIBYTE + 1);
    const dialog = page.getByRole('dialog', { name: 'Transfer a file' });
    await dialog.waitFor();
    await dialog.getByLabel('Contents').selectOption('binary');
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    expect(await told(dialog, 'alert', /larger/)).to.equal('The file is larger than 1 MB. Nothing was sent.');
    await drop(MEBIBYTE);
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    await told(dialog, 'status', /1,048,576 bytes were sent/);
    const back = await received(dialog, 'BYTES.BIN');
    expect(back.equals(Buffer.from(Uint8Array.from({ length: MEBIBYTE }, (_, at) => at & 255)))).to.equal(true);
    expect(terminal.complaints).to.deep.equal([]);
  });

  it('says what the host says, and keeps what was chosen', async () => {
    await atReady('MENU');
    const dialog = await open();
    await dialog.getByRole('radio', { name: 'Receive a file from the host' }).check();
    await dialog.getByLabel('Name on the host').fill('NO.SUCH.FILE');
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    expect(await told(dialog, 'alert', /not transferred/)).to.match(/TRANS\d+/);
    expect(await dialog.getByLabel('Name on the host').inputValue()).to.equal('NO.SUCH.FILE');
    await dialog.getByLabel('Name on the host').fill('8WRONG');
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    expect(await told(dialog, 'alert', /data set name/)).to.include('SOURCE.COBOL');
  });

  it('tells how far it is, is cancelled, and leaves nothing; on a phone in the dark, in German', async () => {
    await atReady('MENUSLOW', { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    const { page } = terminal;
    const dialog = await open('Datei übertragen');
    // no choice is cut
    const isWhole = `(select) => {
      const { offsetWidth } = select;
      select.style.width = 'max-content';
      const wanted = select.offsetWidth;
      select.style.width = '';
      return wanted <= offsetWidth;
    }`;
    await dialog.getByText('Weitere Optionen', { exact: true }).click();
    expect(
      await page.evaluate(`[...document.querySelectorAll('dialog .attributes select')].map(${isWhole})`),
    ).to.deep.equal([true, true]);
    await dialog.getByText('Weitere Optionen', { exact: true }).click();
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'long.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a line of a file that takes its time\n'.repeat(5_000)),
    });
    await dialog.getByRole('button', { name: 'Übertragen', exact: true }).click();
    await eventually(async () =>
      Number(await page.evaluate("document.querySelector('progress').value")) > 0 ? true : undefined,
    );
    expect(await dialog.locator('.under-way').textContent()).to.match(/^[1-9][\d.]* von 185\.000 Byte$/);
    expect(await violations(page)).to.deep.equal([]);
    await picture('under-way-390');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Übertragung abbrechen?' });
    await question.waitFor();
    await picture('leave-390');
    await question.getByRole('button', { name: 'Fortsetzen' }).click();
    await dialog.getByRole('button', { name: 'Übertragung abbrechen' }).click();
    await told(dialog, 'status', /^Die Übertragung wurde abgebrochen\.$/);
    await picture('cancelled-390');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await terminal.free();
    await terminal.type('LISTCAT');
    await terminal.press('Enter');
    await terminal.free();
    expect(await terminal.text()).not.to.include('LONG.TXT');
  });

  const chosen = (dialog: Locator, bytes: number) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'long.bin', mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'a line\n') });

  const hasBegun = () =>
    eventually(async () =>
      Number(await terminal.page.evaluate("document.querySelector('progress').value")) > 0 ? true : undefined,
    );

  it('keeps quiet of a host that has the keyboard for long', async () => {
    terminal = await TerminalPage.open(here.browser, 'about:blank');
    const { page } = terminal;
    await page.clock.install();
    await page.goto(named(here.site.url, '/TERMINAL.HTML+MENUSLOW'));
    await terminal.choose('T', 'READY');
    const dialog = await open();
    await chosen(dialog, 100_000);
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    await hasBegun();
    await page.clock.fastForward(60_000);
    // a tick behind it, which would have told
    await page.clock.runFor(2_000);
    expect(
      await page.evaluate("document.querySelector('progress').value < document.querySelector('progress').max"),
    ).to.equal(true);
    expect(await page.locator('.notice').filter({ hasText: 'has not answered' }).count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Cancel the transfer' }).click();
    await told(dialog, 'status', /was cancelled/);
    // its clock is not for another page
    await page.context().close();
  });

  it('is cancelled again where the server has not heard of it', async () => {
    await atReady('MENUSLOW');
    const { page } = terminal;
    const dialog = await open();
    await chosen(dialog, 100_000);
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    await hasBegun();
    const cancel = dialog.getByRole('button', { name: 'Cancel the transfer' });
    const files = /\+\+TransferSvcSession=/;
    await page.route(files, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()));
    await cancel.click();
    await told(dialog, 'alert', /server was not reached: the transfer continues/);
    expect(await cancel.isEnabled()).to.equal(true);
    await page.unroute(files);
    await cancel.click();
    await told(dialog, 'status', /was cancelled/);
    expect(await dialog.locator('.problem').textContent()).to.equal('');
  });

  it('is cancelled while the bytes are on their way to the server', async () => {
    await atReady('MENU');
    const { page } = terminal;
    const dialog = await open();
    await chosen(dialog, MEBIBYTE);
    const network = await page.context().newCDPSession(page);
    const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 };
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', speed);
    const files = page.waitForResponse(
      (answer) => /TransferSvc/.test(answer.url()) && answer.request().method() === 'GET',
    );
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    expect((await (await files).json()) as object).to.have.nested.property('transfer.bytes', 0);
    await dialog.getByRole('button', { name: 'Cancel the transfer' }).click();
    await told(dialog, 'status', /^The transfer was cancelled\.$/);
    await network.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await terminal.type('LISTCAT');
    await terminal.press('Enter');
    await terminal.free();
    expect(await terminal.text()).not.to.include('LONG.BIN');
  });

  it('is not offered where the transaction has none', async () => {
    await atReady('MENUNONE');
    await terminal.press('Control+k');
    await terminal.page.getByRole('combobox').waitFor();
    await terminal.page.keyboard.type('Transfer a file');
    expect(await terminal.page.getByRole('option', { name: 'Transfer a file' }).count()).to.equal(0);
  });
});
