import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FaultName } from '../../src/demo/simulated-host/fault-switches.js';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { readTransferredFile } from '../../src/s3270/program/transferred-file.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { mebibyte } from '../support/transferred-files.js';
import { sallyportInProcess } from './command-in-process.js';
import { SallyportProcess } from './sallyport-process.js';

const PASSWORD = 'canary7';
const MOST_BYTES = 256 * 1024 * 1024;
const signOn = ['--type', 'DEMO[Tab]', '--type-env', 'DEMO_PASSWORD', '--type', '[Enter]', '--type', 'T[Enter]'];

/** What each direction says of wrong options, with 2, and of which no host hears. */
const refusals: readonly (readonly [args: string, told: string])[] = [
  ['send --lrecl 0 --recfm fixed', "'--lrecl <bytes>' argument '0' is invalid. expected a number from 1 to 32767."],
  ['send --lrecl 32768 --recfm fixed', "argument '32768' is invalid. expected a number from 1 to 32767."],
  ['send --blksize 32768 --recfm fixed', "'--blksize <bytes>' argument '32768' is invalid."],
  [
    'send --primary-space 1000000',
    "'--primary-space <number>' argument '1000000' is invalid. expected a number from 1 to 999999.",
  ],
  ['send --primary-space 1 --secondary-space 1000000', "'--secondary-space <number>' argument '1000000' is invalid."],
  ['send --primary-space 1 --space-unit avblock --avblock 32768', "'--avblock <bytes>' argument '32768' is invalid."],
  ['send --space-unit blocks', "'--space-unit <unit>' argument 'blocks' is invalid."],
  ['send --recfm V', "'--recfm <format>' argument 'V' is invalid."],
  ['send --host vax', "'--host <kind>' argument 'vax' is invalid."],
  ['send --buffer-size 255', "'--buffer-size <bytes>' argument '255' is invalid. expected a number from 256 to 16384."],
  ['receive --buffer-size 16385', "'--buffer-size <bytes>' argument '16385' is invalid."],
  ['send --seconds 0', "'--seconds <number>' argument '0' is invalid. expected a number from 1 to 86400."],
  ['receive --seconds 86401', "'--seconds <number>' argument '86401' is invalid."],
  ['receive --seconds 1e3', "'--seconds <number>' argument '1e3' is invalid."],
  ['send --lrecl 80', '--lrecl needs --recfm'],
  ['send --blksize 80', '--blksize needs --recfm'],
  ['send --secondary-space 1', '--secondary-space needs --primary-space'],
  ['send --space-unit tracks', '--space-unit needs --primary-space'],
  ['send --avblock 800', '--avblock needs --primary-space'],
  ['send --primary-space 1 --space-unit avblock', '--space-unit avblock needs --avblock'],
  ['send --primary-space 1 --space-unit tracks --avblock 800', '--avblock needs --space-unit avblock'],
  ['send --host vm --recfm fixed --blksize 80', '--blksize is for TSO'],
  ['send --host cics --primary-space 1', '--primary-space is for TSO'],
  ['send --host cics --recfm fixed', '--recfm is for TSO and VM'],
  ['send --host vm --recfm undefined', '--recfm undefined is for TSO: VM has fixed and variable records'],
  ['send --replace', "unknown option '--replace'"],
  ['receive --recfm fixed', "unknown option '--recfm'"],
  ['receive --append --replace', '--append and --replace exclude each other'],
  ['send --host vm', 'The name of the file on the host must be a file name, a file type'],
  [`send --other-options ${'X'.repeat(201)}`, 'Other options have at most 200 printable ASCII characters.'],
  ['send --other-options é', 'Other options have at most 200 printable ASCII characters.'],
];

/** At the bounds: the host is asked. */
const accepted: readonly string[] = [
  'send --recfm fixed --lrecl 1 --blksize 32767',
  'send --recfm undefined --lrecl 32767 --blksize 1',
  'send --primary-space 999999 --secondary-space 1 --space-unit avblock --avblock 32767',
  'send --primary-space 1 --secondary-space 999999 --space-unit cylinders',
  'send --buffer-size 256 --seconds 86400',
  'receive --buffer-size 16384 --seconds 1',
  `receive --replace --other-options ${'X'.repeat(200)}`,
];

describe('sallyport transfer', () => {
  let folder: string;
  const hosts: SimulatedHost[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-transfer-'));
  });

  after(async () => {
    for (const host of hosts) await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function listen(faults: readonly FaultName[] = []): Promise<string> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: { DEMO: PASSWORD }, start: 'SIGNON', faults });
    hosts.push(host);
    return `127.0.0.1:${(await host.listen({ host: '127.0.0.1', port: 0 })).port}`;
  }

  const transfer = (...args: string[]) =>
    sallyportInProcess(['transfer', ...args, ...signOn], { folder, environment: { DEMO_PASSWORD: PASSWORD } });

  it('signs on, sends a file and receives it again, and tells how far it is', async () => {
    const address = await listen();
    const file = mebibyte();
    writeFileSync(join(folder, 'sent'), file);
    const sent = await transfer('send', address, 'sent', 'A.FILE', '--binary');
    expect(sent.stderr).to.match(/^\d+ of 1048576 bytes$/m);
    expect(sent.stdout).to.match(/^Sent 1048576 bytes \(DFT, [\d.]+ MB\/s\)$/m);
    expect(sent.code).to.equal(0);
    const received = await transfer('receive', address, 'A.FILE', 'received', '--binary', '--quiet');
    expect(received).to.include({ code: 0, stderr: '' });
    expect(readFileSync(join(folder, 'received')).equals(file)).to.equal(true);
    expect(JSON.stringify([sent, received])).to.not.include(PASSWORD);
  });

  it('receives over no file that is there, unless it is told to', async () => {
    const address = await listen();
    writeFileSync(join(folder, 'old'), 'old\n');
    writeFileSync(join(folder, 'new'), 'new\n');
    await transfer('send', address, 'new', 'A.FILE');
    const refused = await transfer('receive', address, 'A.FILE', 'old');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('old: it already exists');
    expect((await transfer('receive', address, 'A.FILE', 'old', '--append')).code).to.equal(0);
    expect(readFileSync(join(folder, 'old'), 'utf8')).to.equal('old\nnew\n');
    expect((await transfer('receive', address, 'A.FILE', 'old', '--replace')).code).to.equal(0);
    expect(readFileSync(join(folder, 'old'), 'utf8')).to.equal('new\n');
  });

  it('says which logical unit the host refuses, and why', async () => {
    writeFileSync(join(folder, 'new'), 'new\n');
    const settings = ['--settings', '{"lu":"LU0007"}'];
    const { code, stderr } = await transfer('send', await listen(['busy']), 'new', 'A.FILE', ...settings);
    expect([code, stderr]).to.deep.equal([1, 'Error: the host refused logical unit LU0007: it is in use\n']);
  });

  it('leaves no half file behind where the connection is cut, and returns 1', async () => {
    const whole = await listen();
    const address = await listen(['cut-file']);
    const name = 'SALLY.SAMPLE.SOURCE(RATE0001)';
    const there = await transfer('receive', whole, `'${name}'`, 'member.txt');
    expect(there.code).to.equal(0);
    expect(readFileSync(join(folder, 'member.txt'), 'utf8')).to.include('PROGRAM-ID. RATE0001.\n');
    const before = readdirSync(folder).sort();
    const small = ['--settings', '{"codepage":"cp037","model":"3278-2"}'];
    const cut = await transfer('receive', address, `'${name}'`, 'half.txt', ...small);
    expect(cut.code).to.equal(1);
    expect(cut.stderr).to.match(/^Error: The host ended the connection/);
    expect(existsSync(join(folder, 'half.txt'))).to.equal(false);
    expect(readdirSync(folder).sort()).to.deep.equal(before);
  });

  it('says what was wrong: 1 where the host refuses, 2 where the command is no command', async () => {
    const address = await listen();
    const missing = await transfer('receive', address, 'NO.SUCH', 'missing');
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.include('Error: TRANS14');
    const named = await transfer('receive', address, 'no such name', 'missing');
    expect(named.stderr).to.include('must be a data set name, for example');
    expect((await transfer('receive', 'nowhere', 'A.FILE', 'x')).code).to.equal(2);
    expect((await transfer('send', address, 'x')).code).to.equal(2);
    const unreadable = await transfer('send', address, 'nothing-there', 'A.FILE');
    expect(unreadable.stderr).to.include('nothing-there');
  });

  /** A host that ends every connection; how many there were. */
  async function hostThatHangsUp(): Promise<{ address: string; calls: () => number; stop: () => void }> {
    let calls = 0;
    const server = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { address: `127.0.0.1:${port}`, calls: () => calls, stop: () => server.close() };
  }

  it('says that Ctrl+C has cancelled it, also where the host is silent, and returns 1', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const running = new SallyportProcess(['transfer', 'receive', `127.0.0.1:${port}`, 'A.FILE', 'silent.txt'], folder);
    await once(silent, 'connection');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.finished;
    silent.close();
    expect([stderr, code]).to.deep.equal(['Error: The transfer was cancelled.\n', 1]);
    expect(existsSync(join(folder, 'silent.txt'))).to.equal(false);
  });

  it('says what is wrong with its options before it connects, and connects with each at its bounds', async () => {
    const { address, calls, stop } = await hostThatHangsUp();
    writeFileSync(join(folder, 'small'), 'small\n');
    const run = (args: string) => {
      const [direction = '', ...options] = args.split(' ');
      const files = direction === 'send' ? ['small', 'A.FILE'] : ['A.FILE', 'not-there'];
      return transfer(direction, address, ...files, ...options);
    };
    try {
      for (const [args, told] of refusals) {
        const { code, stderr } = await run(args);
        expect([code, stderr.includes(told)], `${args}: ${stderr}`).to.deep.equal([2, true]);
      }
      expect(calls()).to.equal(0);
      for (const [at, args] of accepted.entries()) {
        const { code, stderr } = await run(args);
        expect([code, calls()], `${args}: ${stderr}`).to.deep.equal([1, at + 1]);
      }
    } finally {
      stop();
    }
  });

  it('sends regular files alone, of 256 MiB and not one more: what has no end is not read', async () => {
    const { address, calls, stop } = await hostThatHangsUp();
    mkdirSync(join(folder, 'folder'));
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).to.equal(0);
    writeFileSync(join(folder, 'large'), '');
    truncateSync(join(folder, 'large'), MOST_BYTES + 1);
    try {
      for (const [file, words] of [
        ['/dev/zero', '/dev/zero: it is a pipe or a device, not a regular file'],
        ['pipe', 'pipe: it is a pipe or a device, not a regular file'],
        ['folder', 'folder: it is a folder'],
        ['large', `large: it has ${MOST_BYTES + 1} bytes; at most ${MOST_BYTES} are sent`],
      ] as const) {
        const { code, stderr } = await transfer('send', address, file, 'A.FILE', '--binary');
        expect([code, stderr]).to.deep.equal([1, `Error: ${words}\n`]);
      }
      expect(calls()).to.equal(0);
      truncateSync(join(folder, 'large'), MOST_BYTES);
      expect((await transfer('send', address, 'large', 'A.FILE', '--binary')).code).to.equal(1);
      expect(calls(), 'it was read').to.equal(1);
    } finally {
      stop();
      rmSync(join(folder, 'large'));
    }
  });

  it('reads a file that has more than its folder says, as one that grows, up to the bound', async function () {
    // its size is 0 for stat
    const growing = '/proc/version';
    if (!existsSync(growing) || statSync(growing).size !== 0) return this.skip();
    const whole = readFileSync(growing);
    expect(Buffer.from(await readTransferredFile(growing, whole.length)).equals(whole)).to.equal(true);
    const over = await readTransferredFile(growing, whole.length - 1).catch((error: Error) => error.message);
    expect(over).to.equal(`it has more than ${whole.length - 1} bytes; at most ${whole.length - 1} are sent`);
  });

  it('keeps what it receives in regular files alone, and says so before it connects', async () => {
    const nobody = '127.0.0.1:1';
    for (const how of ['--append', '--replace']) {
      const { code, stderr } = await transfer('receive', nobody, 'A.FILE', '/dev/null', how, '--quiet');
      expect([code, stderr]).to.deep.equal([1, 'Error: /dev/null: it is a pipe or a device, not a regular file\n']);
      const folderFault = await transfer('receive', nobody, 'A.FILE', '.', how, '--quiet');
      expect(folderFault)
        .to.include({ code: 1 })
        .and.to.have.property('stderr')
        .match(/^Error: \.: .*folder/);
    }
    const { code, stderr } = await transfer('receive', nobody, 'A.FILE', 'none/new', '--quiet');
    expect(code).to.equal(1);
    expect(stderr)
      .to.match(/^Error: none\/new: /)
      .and.not.include('127.0.0.1');
    expect(statSync('/dev/null').isCharacterDevice()).to.equal(true);
  });
});
