import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AccountBook } from '../../../src/demo/simulated-host/account-book.js';
import { statementJob } from '../../../src/demo/simulated-host/applications/statement.js';
import type { PrintStream } from '../../../src/demo/simulated-host/printer-device.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { textOfPages } from '../../../src/tn3270/print/printed-page.js';
import { eventually } from '../../support/eventually.js';
import { need } from '../../support/need.js';
import { PrintingHost, TestPrinter } from '../../support/printing-host.js';

const codePage = findCodePage('cp037') as NonNullable<ReturnType<typeof findCodePage>>;
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** What is in quotes is text; the rest is hexadecimal. */
function record(text: string): Uint8Array {
  return Uint8Array.from(
    text.split("'").flatMap((part, at) => [...(at % 2 === 1 ? codePage.encode(part) : hex(part))]),
  );
}

/**
 * Records by the manual; what they print is told by pr3287. It leaves out the last
 * of the vertical tab stops: those are not in here.
 */
const jobs: Readonly<Record<string, readonly [PrintStream, ...string[]]>> = {
  'lines of SCS': ['scs', "'FIRST' 15 'SECOND' 15 15 'FOURTH' 15"],
  'CR, LF and backspace': ['scs', "'ABC' 25 'DEF' 15 'XYZ' 16 16 'Q' 15 'LINE' 0d 25 'NEXT' 15"],
  'an interchange record separator': ['scs', "'ONE' 1e 'TWO' 1e"],
  'tab stops of SHF': ['scs', "2bc1 07 50 01 50 0a 14 1e 'A' 05 'B' 05 'C' 05 'D' 05 'E' 15"],
  'tabs without stops': ['scs', "'A' 05 'B' 05 'C' 15"],
  'a left margin': ['scs', "2bc1 03 50 0b 15 'INDENTED' 15 'AGAIN' 0d 25 'THIRD' 15"],
  'lines longer than the maximum': ['scs', "2bc1 02 14 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGH' 15"],
  'lines longer than a 3287 has': ['scs', `${'f1f2f3f4f5f6f7f8f9f0'.repeat(30)} 15`],
  'form feeds': ['scs', "2bc2 02 42 'PAGE 1' 15 0c 'PAGE 2' 15 0c 'PAGE 3' 15"],
  'a form feed without vertical format': ['scs', "'A' 0c 'B' 15"],
  'vertical tabs': ['scs', "2bc2 08 42 01 42 05 09 14 28 0c 'TOP' 0b 'FIVE' 0b 'NINE' 0b 'TWENTY' 15"],
  'attributes and formats that are no text': [
    'scs',
    "28 41 f2 'REVERSE' 28 42 f2 'RED' 28 0000 'PLAIN' 2bc6 02 06 2bc8 04 0000 14 24 2f 15",
  ],
  'controls divided between records, inhibited or not': [
    'scs',
    "'A' 2b",
    'c1 07 50 01',
    "50 0a 14 1e 05 'B' 28",
    "41 f2 'C' 08",
    "40 'D' 15",
  ],
  'accents of the code page': ['scs', '44 51 43 4a b0 15'],
  'margins of a page': ['scs', "2bc2 05 0a 03 06 0c 'ONE' 15 'TWO' 15 'THREE' 15 'FOUR' 15 'FIVE' 15 'SIX' 15"],
  'a format that is longer than what it sets': ['scs', "2bc1 09 50 05 50 0a 14 00 00 'A' 05 'B' 05 'C' 15"],
  'a buffer without lines of one length': ['3270', "f5 c8 'FIRST' 15 'SECOND' 15 15 'FOURTH' 15 19"],
  'a buffer with fields': ['3270', "f5 c8 1d60 'LABEL' 1de8 'BOLD' 1d60 15 19"],
  'carriage return and form feed in a buffer': ['3270', "f5 c8 'ONE' 15 0c 'TWO' 15 0c 'THREE' 15 19"],
  'two buffers of one job': ['3270', "f5 c8 'ONE' 15 19", "f5 c8 'TWO' 15 19"],
  'a buffer without an end of medium': ['3270', "f5 c8 'ONE' 15 'TWO'", "f5 c8 'THREE'"],
  'a line longer than the paper': ['3270', `f5 c8 ${'f1f2f3f4f5f6f7f8f9f0'.repeat(15)} 15 19`],
  'addresses in a buffer without lines': ['3270', "f5 c8 'A' 11 404a 'B' 15 19"],
  'lines of 80': ['3270', "f5 f8 'TOP' 11 c150 'SECOND' 11 c3f0 'LATER'"],
  'lines of 40': ['3270', "f5 d8 'TOP' 11 406f 'LAST' 'SECOND' 11 c150 'THIRD'"],
  'lines of 64': ['3270', "f5 e8 'TOP' 11 c140 'SECOND' 11 c240 'THIRD'"],
  'lines of nulls between': ['3270', "f5 f8 'A' 11 c5e6 'B' 11 c9e2 40 11 4af0 'C'"],
  'a field that is not displayed': ['3270', "f5 f8 1d60 'SHOWN' 1d6c 'SECRET' 1d60 'BEHIND'"],
  'repeat to address': ['3270', "f5 f8 3c 4050 60 11 c150 3c c16b 5c 'X'"],
  'duplicates, field marks and what is none': ['3270', "f5 f8 'A' 1c 'B' 1e 'C' 3f 'D' ff 'E'"],
  'set attributes, a cursor and a program tab': ['3270', "f5 f8 'A' 28 41f2 'REVERSED' 28 0000 13 'PLAIN' 05 'ON'"],
  // the last record erases: pr3287 forgets a buffer that it has printed, a printer does not (GA23-0059)
  'erasing what is unprotected': ['3270', "f5 f8 1d60 'KEPT' 1d40 'GONE' 1d60 'END'", '6f', "f5 f8 11 c150 'LATER'"],
  'a write that starts no printing': ['3270', "f5 f0 'WRITTEN'", "f1 f8 11 c150 'LATER'"],
  'the statement of the demo': ['scs'],
  'the statement of the demo by LU 3': ['3270'],
};

/** What both must have: pr3287 ends its last line, and has blanks at the ends of lines. */
function comparable(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n*\f/g, '\n\f')
    .replace(/[\n\f]*$/, '');
}

function startPr3287(port: number, file: string, ...options: string[]): ChildProcess {
  return spawn(
    'pr3287',
    [
      '-ffthru',
      '-codepage',
      'cp037',
      ...options,
      '-command',
      `cat > ${file}.part && mv ${file}.part ${file}`,
      `THEIRS@127.0.0.1:${port}`,
    ],
    { stdio: 'ignore', env: { ...process.env, LC_ALL: 'C.UTF-8' } },
  );
}

describe('printers beside pr3287', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pr3287-'));
  const file = join(folder, 'printed');
  let host: PrintingHost;
  let pr3287: ChildProcess;
  let ours: TestPrinter;

  before(async function () {
    need(this, spawnSync('pr3287', ['--version'], { stdio: 'ignore' }).error === undefined, 'pr3287 is not installed');
    host = await PrintingHost.start();
    pr3287 = startPr3287(host.port, file);
    ours = new TestPrinter(host.port, { deviceNames: ['OURS'] });
    expect(await ours.connected()).to.equal('OURS');
  });

  after(async () => {
    pr3287?.kill();
    ours?.stop();
    await host?.close();
    rmSync(folder, { recursive: true });
  });

  for (const [name, [stream, ...texts]] of Object.entries(jobs)) {
    it(`print the same: ${name}`, async () => {
      const account = new AccountBook().find('10000002');
      const records =
        texts.length === 0 && account !== undefined
          ? statementJob(stream, account, new Date('2026-11-23T08:00:00Z'), codePage).records
          : texts.map(record);
      rmSync(file, { force: true });
      ours.documents.length = 0;
      expect(await host.print('THEIRS', { stream, records })).to.deep.equal({ kind: 'printed' });
      expect(await host.print('OURS', { stream, records })).to.deep.equal({ kind: 'printed' });
      const printed = comparable(textOfPages(ours.documents.flatMap(({ pages }) => pages)));
      expect(printed).to.equal(comparable(existsSync(file) ? readFileSync(file, 'utf8') : ''));
      expect(printed).not.to.equal('');
    });
  }

  it('pass the same transparent data on, divided between records', async () => {
    rmSync(file, { force: true });
    const data = Array.from({ length: 255 }, (_, at) => (at * 7) & 0xff);
    const records = [
      Uint8Array.of(0x35, 0xff, ...data.slice(0, 100)),
      Uint8Array.of(...data.slice(100), 0x35, 0x00, 0x35, 0x03, 0x1b),
      Uint8Array.of(0x45, 0x0c, 0x24, 0x35, 0x01, 0x5a, 0x14),
    ];
    for (const name of ['THEIRS', 'OURS'])
      expect(await host.print(name, { stream: 'scs', records })).to.deep.equal({ kind: 'printed' });
    const expected = Buffer.from([...data, 0x1b, 0x45, 0x0c, 0x5a]);
    expect(Buffer.concat(ours.transparent)).to.deep.equal(expected);
    expect(readFileSync(file)).to.deep.equal(expected);
  });

  it('print the same for a host without TN3270E', async () => {
    const plain = await PrintingHost.start({ tn3270e: false });
    const plainFile = join(folder, 'plain');
    const theirs = startPr3287(plain.port, plainFile, '-eojtimeout', '1');
    const printer = new TestPrinter(plain.port, { deviceNames: ['OURS'], silenceMilliseconds: 300 });
    try {
      const records = Object.values(jobs).flatMap(([stream, ...texts]) => (stream === '3270' ? texts.map(record) : []));
      for (const name of ['THEIRS', 'OURS']) {
        expect(await plain.print(name, { stream: 'scs', records })).to.deep.equal({ kind: 'wrongStream' });
        expect(await plain.print(name, { stream: '3270', records })).to.deep.equal({ kind: 'printed' });
      }
      const { pages } = await eventually(() => printer.documents[0]);
      const expected = await eventually(() => (existsSync(plainFile) && readFileSync(plainFile, 'utf8')) || undefined);
      expect(comparable(textOfPages(pages))).to.equal(comparable(expected));
      expect(printer.session.mode).to.equal('tn3270');
    } finally {
      theirs.kill();
      printer.stop();
      await plain.close();
    }
  });
});
