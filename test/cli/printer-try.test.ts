import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { needCommand } from '../support/need.js';
import { PrintingHost } from '../support/printing-host.js';
import { ScriptedHost } from '../support/scripted-host.js';
import { sallyportInProcess } from './command-in-process.js';
import { SallyportProcess } from './sallyport-process.js';

const codePage = findCodePage('cp037') as NonNullable<ReturnType<typeof findCodePage>>;
const scs = (text: string) => ({ stream: 'scs', records: [codePage.encode(text)] }) as const;
/** Erase/Write, start printer; then the text, NL and EM. */
const buffer = (text: string) =>
  ({ stream: '3270', records: [Uint8Array.of(0xf5, 0xc8, ...codePage.encode(text), 0x15, 0x19)] }) as const;
const PRINTED = { kind: 'printed' } as const;

describe('sallyport printer try', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-printer-'));
  let host: PrintingHost;

  before(async () => {
    host = await PrintingHost.start();
  });

  after(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });

  const tryOut = (...args: string[]) => sallyportInProcess(['printer', 'try', ...args], { folder });
  const address = () => `127.0.0.1:${host.port}`;

  it('says what the host agreed to, and prints to standard output', async () => {
    const running = tryOut(address(), 'lu1', '--documents', '2');
    expect(await host.print('LU1', scs('FIRST'))).to.deep.equal(PRINTED);
    expect(await host.print('LU1', buffer('SECOND'))).to.deep.equal(PRINTED);
    const { code, stdout, stderr } = await running;
    expect(stdout).to.equal('FIRST\n\fSECOND\n');
    expect(stderr.split('\n')).to.deep.equal([
      'connected by TN3270E: logical unit LU1; BIND-IMAGE, DATA-STREAM-CTL, RESPONSES, SCS-CTL-CODES',
      'document 1: 1 page: standard output',
      'document 2: 1 page: standard output',
      '',
    ]);
    expect(code).to.equal(0);
  });

  it('is the printer of a display, and writes a PDF, for its user alone', async function () {
    needCommand(this, 'pdftotext');
    const display = host.displayName;
    const out = ['-o', 'one.pdf', '--documents', '1', '--paper', 'A5', '--portrait', '--quiet'];
    const running = tryOut(address(), '--associate', display.toLowerCase(), ...out);
    expect(await host.print(`P${display.slice(1)}`, scs('ON PAPER'))).to.deep.equal(PRINTED);
    expect(await running).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    const file = join(folder, 'one.pdf');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(execFileSync('pdftotext', [file, '-']).toString()).to.include('ON PAPER');
    expect(execFileSync('pdfinfo', [file]).toString()).to.match(/Page size:\s+419\.53 x 595\.28 pts/);
  });

  it('numbers further files, and writes over none that is there: the host is told', async () => {
    writeFileSync(join(folder, 'many-2.txt'), 'old');
    const running = tryOut(address(), 'LU3', '-o', 'many.txt');
    expect(await host.print('LU3', scs('ONE'))).to.deep.equal(PRINTED);
    expect(await host.print('LU3', scs('TWO'))).to.deep.equal({ kind: 'refused', code: 1 });
    const { code, stderr } = await running;
    expect(stderr).to.include(
      'Error: document 2 was not written: many-2.txt: it already exists; use --replace to overwrite it',
    );
    expect(code).to.equal(1);
    const again = await tryOut(address(), 'LU3', '-o', 'many.txt');
    expect([again.code, again.stderr]).to.deep.equal([
      1,
      'Error: many.txt: it already exists; use --replace to overwrite it\n',
    ]);
    const replacing = tryOut(address(), 'LU3', '-o', 'many.txt', '--replace', '--documents', '2');
    for (const text of ['THREE', 'FOUR']) expect(await host.print('LU3', scs(text))).to.deep.equal(PRINTED);
    expect((await replacing).code).to.equal(0);
    const files = readdirSync(folder).filter((name) => name.startsWith('many'));
    expect(files.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')])).to.deep.equal([
      ['many-2.txt', 'FOUR\n'],
      ['many.txt', 'THREE\n'],
    ]);
  });

  it('prints by plain TN3270 where the host has no other, or is told to', async () => {
    const running = tryOut(address(), 'LU4', '--settings', '{"tn3270e":false}', '--silence', '1', '--documents', '1');
    expect(await host.print('LU4', buffer('PLAIN'))).to.deep.equal(PRINTED);
    const { code, stdout, stderr } = await running;
    expect([code, stdout]).to.deep.equal([0, 'PLAIN\n']);
    expect(stderr).to.match(/^connected by plain TN3270: /);
  });

  it('says of a document that is not over in time that it is not complete, and not that none came', async () => {
    const running = tryOut(address(), 'LU5', '--settings', '{"tn3270e":false}', '--seconds', '1', '--quiet');
    expect(await host.print('LU5', buffer('BEGUN'))).to.deep.equal(PRINTED);
    const { code, stdout, stderr } = await running;
    expect([code, stdout]).to.deep.equal([1, 'BEGUN\n']);
    expect(stderr).to.equal('Error: document 1 did not end within 1 seconds: 1 page, not complete: standard output\n');
  });

  it('returns 1 with the reason where it is refused, nobody prints, the host is silent or not there', async () => {
    const refused = await tryOut(address(), host.displayName);
    expect(refused).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `Error: the host refused logical unit ${host.displayName}: it is a device of another type\n`,
    });
    const nothing = await tryOut(address(), '--seconds', '1', '--quiet');
    expect([nothing.code, nothing.stderr]).to.deep.equal([1, 'Error: no document arrived within 1 seconds\n']);
    const silent = new ScriptedHost();
    const port = await silent.listen();
    const unagreed = await tryOut(`127.0.0.1:${port}`, '--settings', '{"connectSeconds":1}');
    expect([unagreed.code, unagreed.stderr]).to.deep.equal([
      1,
      'Error: the host did not complete the negotiation in time\n',
    ]);
    await silent.close();
    const nobody = await tryOut(`127.0.0.1:${port}`);
    expect(nobody.code).to.equal(1);
    expect(nobody.stderr).to.include('ECONNREFUSED');
  });

  it('returns 2 where the command is none', async () => {
    for (const [args, words] of [
      [['no host'], 'expected a host name'],
      [['127.0.0.1:0'], 'expected a port from 1 to 65535, found 0'],
      [['host', 'a b'], 'lu: up to 32 names'],
      [['host', 'LU1', '--associate', 'SIM00001'], 'leave out the logical unit or --associate'],
      [['host', '--associate', 'A/B'], '--associate: expected up to 32'],
      [['host', '-o', 'file'], 'expected a name that ends in .pdf or .txt'],
      [['host:port'], 'found "host:port"\n'],
      [['host', '--settings', '[]'], 'the settings are not a JSON object'],
      [['host', '--seconds', '86401'], 'expected a number from 1 to 86400.'],
      [['host', '--documents', '0'], 'expected a number from 1 to 100000.'],
      [['host', '--columns', '19'], 'expected a number from 20 to 255.'],
    ] as const) {
      const { code, stderr } = await tryOut(...args);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.include(words);
    }
    const { code, stdout } = await tryOut('--help');
    expect(code).to.equal(0);
    expect(stdout).to.include('--associate <display>');
  });

  it('is ended by Ctrl+C: what was printed until then is written', async () => {
    const printer = new SallyportProcess(['printer', 'try', address(), 'LU9', '-o', 'begun.txt'], folder);
    // the second record is none, and ends the job of the host without PRINT-EOJ
    const job = { stream: '3270', records: [...buffer('BEGUN').records, Uint8Array.of(0xc1)] } as const;
    expect(await host.print('LU9', job)).to.deep.equal({ kind: 'refused', code: 0 });
    printer.child.kill('SIGINT');
    const { code, stderr } = await printer.finished;
    expect(stderr).to.include('a record is not printed: 0xc1 is not a command (byte 0)\n');
    expect(stderr).to.include('document 1: 1 page: begun.txt\n');
    expect(code).to.equal(0);
    expect(readFileSync(join(folder, 'begun.txt'), 'utf8')).to.equal('BEGUN\n');
  });

  it('says that Ctrl+C came before it was connected, and returns 1', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const printer = new SallyportProcess(
      ['printer', 'try', `127.0.0.1:${(silent.address() as AddressInfo).port}`],
      folder,
    );
    await once(silent, 'connection');
    printer.child.kill('SIGINT');
    const { code, stderr } = await printer.finished;
    silent.close();
    expect([stderr, code]).to.deep.equal(['Error: interrupted before the printer was connected\n', 1]);
  });

  it('returns 1 where the host is gone, and writes what it had printed, as not complete', async () => {
    const gone = await PrintingHost.start();
    const running = tryOut(`127.0.0.1:${gone.port}`, 'LU1');
    const job = { stream: '3270', records: [...buffer('CUT').records, Uint8Array.of(0xc1)] } as const;
    expect(await gone.print('LU1', job)).to.deep.equal({ kind: 'refused', code: 0 });
    await gone.close();
    const { code, stdout, stderr } = await running;
    expect([code, stdout]).to.deep.equal([1, 'CUT\n']);
    expect(stderr).to.include('document 1: 1 page, not complete: standard output\n');
    expect(stderr).to.match(/Error: .*host.*\n$/);
  });
});
