import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findCodePage } from '../../src/codepage/code-pages.js';
import type { FaultName } from '../../src/simulated-host/fault-switches.js';
import { SimulatedHost } from '../../src/simulated-host/simulated-host.js';
import { mebibyte } from '../support/transferred-files.js';
import { sallyportInProcess } from './command-in-process.js';

const PASSWORD = 'canary7';
const signOn = ['--type', 'DEMO[Tab]', '--type-env', 'DEMO_PASSWORD', '--type', '[Enter]', '--type', 'T[Enter]'];

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
    expect(refused.stderr).to.include('old: it is there already');
    expect((await transfer('receive', address, 'A.FILE', 'old', '--append')).code).to.equal(0);
    expect(readFileSync(join(folder, 'old'), 'utf8')).to.equal('old\nnew\n');
    expect((await transfer('receive', address, 'A.FILE', 'old', '--replace')).code).to.equal(0);
    expect(readFileSync(join(folder, 'old'), 'utf8')).to.equal('new\n');
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
    expect(cut.stderr).to.match(/^Error: the host has ended the connection/);
    expect(existsSync(join(folder, 'half.txt'))).to.equal(false);
    expect(readdirSync(folder).sort()).to.deep.equal(before);
  });

  it('says what was wrong: 1 where the host refuses, 2 where the command is no command', async () => {
    const address = await listen();
    const missing = await transfer('receive', address, 'NO.SUCH', 'missing');
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.include('Error: TRANS14');
    const named = await transfer('receive', address, 'no such name', 'missing');
    expect(named.stderr).to.include('data set name such as');
    expect((await transfer('receive', 'nowhere', 'A.FILE', 'x')).code).to.equal(2);
    expect((await transfer('send', address, 'x')).code).to.equal(2);
    const unreadable = await transfer('send', address, 'nothing-there', 'A.FILE');
    expect(unreadable.stderr).to.include('nothing-there');
  });
});
