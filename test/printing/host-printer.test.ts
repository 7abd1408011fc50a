import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { noMetrics } from '../../src/lib/metrics.js';
import { DocumentOutput } from '../../src/printing/document-output.js';
import { DocumentSpool } from '../../src/printing/document-spool.js';
import { HostPrinter } from '../../src/printing/host-printer.js';
import { defaultForm } from '../../src/printing/pdf-document.js';
import { PrintedFolder } from '../../src/printing/printed-folder.js';
import { MemorySpoolStore } from '../../src/printing/spool-store.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { openHostConnection } from '../../src/tn3270/host/host-connection.js';
import { textOfPages } from '../../src/tn3270/print/printed-page.js';
import type { PrinterSessionOptions } from '../../src/tn3270/printer/printer-session.js';
import { recordingLog } from '../lines/listener/recording-log.js';
import { eventually } from '../support/eventually.js';
import { needCommand } from '../support/need.js';
import { PrintingHost } from '../support/printing-host.js';

const MOST_LINES_A_MINUTE = 20;

const codePage = findCodePage('cp037') as NonNullable<ReturnType<typeof findCodePage>>;
const job = (text: string) => ({ stream: 'scs', records: [codePage.encode(text)] }) as const;
/** DO TERMINAL-TYPE and SEND; END-OF-RECORD and BINARY both ways. */
const PLAIN_PRINTER_IS_AGREED = Buffer.from('fffd18fffa1801fff0fffd19fffb19fffd00fffb00', 'hex');
const PRINTED = { kind: 'printed' } as const;
const NOT_READY = { kind: 'refused', code: 1 } as const;

describe('a printer of a host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-printed-'));
  const printedFolder = join(folder, 'printed');
  const { log, texts, lines } = recordingLog();
  const audit = new FileAuditTrail({ file: join(folder, 'audit.jsonl') });
  let isOnRecord = true;
  let host: PrintingHost;
  let port = 0;
  let options: ConstructorParameters<typeof HostPrinter>[0];
  let printer: HostPrinter;
  let spool: DocumentSpool;
  const outcomes: string[] = [];

  before(async () => {
    host = await PrintingHost.start();
    port = host.port;
    spool = new DocumentSpool({
      limits: { documents: 3, bytes: 1_000_000, milliseconds: 1_000_000 },
      store: new MemorySpoolStore(),
    });
    options = {
      name: 'PRT',
      host: 'SIM',
      session: {
        codePage,
        deviceNames: ['PRT'],
        associate: undefined,
        silenceMilliseconds: undefined,
        connect: (handler, signal) =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 10_000, signal }, handler),
        startTls: undefined,
        tn3270e: true,
        keepAlive: undefined,
        negotiationMilliseconds: 10_000,
      },
      spool,
      output: new DocumentOutput({
        printer: 'PRT',
        form: { paper: 'A4', orientation: 'portrait', columns: 80, lines: 10, marginMillimetres: 10 },
        folder: { files: new PrintedFolder(printedFolder, 6), as: ['pdf', 'text'] },
      }),
      owner: 'printer PRT',
      audit: () => {
        if (!isOnRecord) throw new Error('the disk is full');
        return audit;
      },
      log,
      metrics: { ...noMetrics, documentPrinted: (name, outcome) => outcomes.push(`${name} ${outcome}`) },
      retryMilliseconds: [1, 20],
    };
    printer = new HostPrinter(options);
    printer.start();
  });

  after(async () => {
    await printer.stop();
    await host.close();
    rmSync(folder, { recursive: true });
  });

  it('writes each document into its folder, for the server alone, and keeps it in its spool', async function () {
    expect(await host.print('PRT', job('TWELVE'))).to.deep.equal(PRINTED);
    const files = readdirSync(printedFolder).sort();
    expect(files.map((name) => name.replace(/\d{8}-\d{6}/, 'TIME'))).to.deep.equal([
      'PRT-TIME-1-PRT.pdf',
      'PRT-TIME-1-PRT.txt',
    ]);
    for (const name of files) expect(statSync(join(printedFolder, name)).mode & 0o777).to.equal(0o600);
    expect(spool.list().map(({ number, pages }) => [number, pages])).to.deep.equal([[1, 1]]);
    expect(printer.state).to.equal('connected');
    expect([printer.documents, printer.lastPrinted]).to.deep.equal([1, spool.list()[0]?.printed]);
    expect(printer.lastPrinted).to.be.a('number');
    needCommand(this, 'pdfinfo');
    const info = execFileSync('pdfinfo', [join(printedFolder, files[0] ?? '')]).toString();
    expect(info).to.match(/Page size:\s+595(\.\d+)? x 841(\.\d+)? pts \(A4\)/);
  });

  it('keeps nothing that cannot be put on record, and tells the host', async () => {
    isOnRecord = false;
    expect(await host.print('PRT', job('SECRET'))).to.deep.equal(NOT_READY);
    isOnRecord = true;
    expect(spool.list()).to.have.length(1);
    expect(readdirSync(printedFolder)).to.have.length(2);
    expect(printer.trouble).to.include('the disk is full');
    expect(await host.print('PRT', job('KEPT'))).to.deep.equal(PRINTED);
    expect(printer.trouble).to.equal(undefined);
  });

  it('is not ready where nobody takes the files away, and leaves no half file', async () => {
    writeFileSync(join(printedFolder, 'left'), '');
    expect(await host.print('PRT', job('TOO MANY'))).to.deep.equal(NOT_READY);
    expect(readdirSync(printedFolder)).to.have.length(5);
    rmSync(join(printedFolder, 'left'));
    expect(await host.print('PRT', job('THIRD'))).to.deep.equal(PRINTED);
    for (const name of readdirSync(printedFolder)) rmSync(join(printedFolder, name));
  });

  it('is not ready while its spool is full of what nobody has opened', async () => {
    expect(spool.list()).to.have.length(3);
    expect(texts.at(-1)).to.include('a printer is not ready').and.include('its spool is full');
    expect(await host.print('PRT', job('FOURTH'))).to.deep.equal(NOT_READY);
    expect(printer.trouble).to.include('spool');
    await spool.read(spool.list()[0]?.number ?? 0);
    expect(await host.print('PRT', job('FOURTH'))).to.deep.equal(PRINTED);
  });

  it('warns once that its spool is nearly full, says what to do, and warns again after there was room', async () => {
    const small = new DocumentSpool({
      limits: { documents: 5, bytes: 1_000_000, milliseconds: 1_000_000 },
      store: new MemorySpoolStore(),
    });
    const session = { ...options.session, deviceNames: ['NEARLY'] };
    const output = new DocumentOutput({ printer: 'NEARLY', form: defaultForm, folder: undefined });
    const beside = { session, spool: small, output, metrics: noMetrics };
    const nearly = new HostPrinter({ ...options, ...beside, name: 'NEARLY' });
    nearly.start();
    await eventually(() => (nearly.state === 'connected' ? true : undefined));
    const warnings = () =>
      lines.filter(({ printer, level }) => printer === 'NEARLY' && level === 40).map(({ msg }) => msg);
    const print = async () => expect(await host.print('NEARLY', job('A'))).to.deep.equal(PRINTED);
    try {
      for (let document = 1; document <= 3; document++) await print();
      expect([nearly.trouble, nearly.unopenedShare, warnings()]).to.deep.equal([undefined, 0.6, []]);
      await print();
      expect(nearly.trouble).to.equal(
        'its spool is 80 % full of unopened documents: open them in the terminal, or raise spool.documents or spool.mebibytes of the printer',
      );
      expect(warnings()).to.deep.equal(['the spool of a printer is nearly full']);
      await print();
      expect(nearly.trouble).to.equal(
        'its spool is full of unopened documents, and no document is accepted: open them in the terminal, or raise spool.documents or spool.mebibytes of the printer',
      );
      expect(warnings()).to.deep.equal(['the spool of a printer is nearly full', 'a printer is not ready']);
      expect(await host.print('NEARLY', job('A'))).to.deep.equal(NOT_READY);
      for (const { number } of small.list()) await small.read(number);
      expect(nearly.trouble).to.equal(undefined);
      for (let document = 1; document <= 4; document++) await print();
      expect(warnings()).to.have.length(3);
    } finally {
      await nearly.stop();
    }
  });

  it('connects again where the host has ended the session, and where it is not there', async () => {
    await host.close();
    await eventually(() =>
      printer.state === 'waiting' && /refuse|not there|ECONN/i.test(printer.trouble ?? '') ? true : undefined,
    );
    host = await PrintingHost.start();
    port = host.port;
    for (const { number } of spool.list()) await spool.read(number);
    expect(await host.print('PRT', job('AGAIN'))).to.deep.equal(PRINTED);
    expect(printer.trouble).to.equal(undefined);
  });

  it('waits longer each time for a host that agrees and ends the session at once, and anew after one that has printed', async () => {
    const waits = () => lines.flatMap(({ nextTryMilliseconds: wait }) => (wait === undefined ? [] : [wait]));
    expect(waits()[0]).to.equal(1);
    const before = waits().length;
    const rude = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(PLAIN_PRINTER_IS_AGREED);
    });
    await new Promise<void>((resolve) => {
      rude.listen(0, '127.0.0.1', resolve);
    });
    const { port: rudePort } = rude.address() as AddressInfo;
    const connect: PrinterSessionOptions['connect'] = (handler, signal) =>
      openHostConnection(
        { address: { host: '127.0.0.1', port: rudePort }, connectMilliseconds: 10_000, signal },
        handler,
      );
    const retryMilliseconds = [1, 2, 60_000];
    const tried = new HostPrinter({
      ...options,
      name: 'TRIED',
      session: { ...options.session, connect },
      retryMilliseconds,
    });
    tried.start();
    await eventually(() => (waits().at(-1) === 60_000 ? true : undefined));
    await tried.stop();
    rude.close();
    expect(waits().slice(before)).to.deep.equal([1, 2, 60_000]);
    expect(texts.filter((text) => text.includes('TRIED') && text.includes('a printer is connected'))).to.have.length(3);
  });

  it('has kept what was begun once it has stopped, and begins again', async () => {
    for (const { number } of spool.list()) await spool.read(number);
    // the second record is none, and ends the job of the host without PRINT-EOJ
    const begun = [Uint8Array.of(0xf5, 0xc8, ...codePage.encode('BEGUN'), 0x15, 0x19), Uint8Array.of(0xc1)];
    expect(await host.print('PRT', { stream: '3270', records: begun })).to.deep.equal({ kind: 'refused', code: 0 });
    const { lastNumber } = spool;
    await printer.stop();
    expect(spool.lastNumber).to.equal(lastNumber + 1);
    expect(textOfPages((await spool.read(lastNumber + 1))?.pages ?? [])).to.equal('BEGUN\n');
    printer.start();
  });

  it('writes nowhere else, whatever the host calls the logical unit', async () => {
    const within = join(folder, 'within');
    const output = new DocumentOutput({
      printer: 'PRT',
      form: { paper: 'A4', orientation: 'portrait', columns: 80, lines: 10, marginMillimetres: 10 },
      folder: { files: new PrintedFolder(within, 10), as: ['text', 'transparent'] },
    });
    const facts = { printed: 0, pages: 1, isComplete: true };
    const printed = { pages: [[]], transparent: Uint8Array.of(0x1b, 0x45) };
    await output.write({ ...facts, number: 1 }, printed, '/../../OUTSIDE');
    await output.write({ ...facts, number: 2 }, printed, '');
    expect(readdirSync(within).sort()).to.deep.equal([
      'PRT-19700101-000000-1-_______OUTSIDE.prn',
      'PRT-19700101-000000-1-_______OUTSIDE.txt',
      'PRT-19700101-000000-2.prn',
      'PRT-19700101-000000-2.txt',
    ]);
    expect(readFileSync(join(within, 'PRT-19700101-000000-2.prn')).toString('hex')).to.equal('1b45');
  });

  it('counts documents, and says nothing of what is in them', () => {
    expect(outcomes.filter((outcome) => outcome === 'PRT printed')).to.have.length(6);
    expect(outcomes.filter((outcome) => outcome === 'PRT failed')).to.have.length(2);
    const said = texts.join('\n') + readFileSync(join(folder, 'audit.jsonl'), 'utf8');
    for (const word of ['TWELVE', 'SECRET', 'KEPT', 'FOURTH']) expect(said).not.to.include(word);
    expect(said).to.include('document.printed');
  });

  it('writes so many lines a minute about records that it cannot print, and no more', async () => {
    const faulty = { stream: '3270', records: [Uint8Array.of(0xc1)] } as const;
    for (let time = 0; time <= MOST_LINES_A_MINUTE; time++) {
      expect(await host.print('PRT', faulty)).to.deep.equal({ kind: 'refused', code: 0 });
    }
    const told = texts.filter((text) => text.includes('could not print a record'));
    expect(told).to.have.length(MOST_LINES_A_MINUTE);
  });
});
