import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { DriveProcess, driveCommand } from '../support/drive-process.js';
import { sallyportInProcess } from './command-in-process.js';

const PASSWORD = 'canary7';

describe('sallyport drive', () => {
  let host: SimulatedHost;
  let port: number;
  const started: DriveProcess[] = [];

  before(async () => {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    host = new SimulatedHost({ codePage, users: { DEMO: PASSWORD }, start: 'SIGNON' });
    ({ port } = await host.listen({ host: '127.0.0.1', port: 0 }));
  });

  afterEach(() => {
    for (const process of started.splice(0)) process.kill();
  });

  after(() => host.close());

  function drive(settings: object = {}, at = port): DriveProcess {
    const process = new DriveProcess(at, settings);
    started.push(process);
    return process;
  }

  it('signs on, reads text and fields, and quits with 0', async () => {
    const session = drive({ model: '3279-4-E' });
    expect(await session.ask({ cmd: 'wait', until: 'field' })).to.deep.equal({});
    expect((await session.ask({ cmd: 'text', row: 0, col: 1, length: 6 })).text).to.equal('SIGNON');
    await session.ask({ cmd: 'type', text: 'demo' });
    await session.ask({ cmd: 'key', key: 'Tab' });
    await session.ask({ cmd: 'type', text: PASSWORD });
    const shown = JSON.stringify([await session.rows(), await session.ask({ cmd: 'fields' })]);
    expect(shown, 'what is not displayed').to.not.include(PASSWORD);
    await session.ask({ cmd: 'key', key: 'Enter' });
    expect(await session.ask({ cmd: 'wait', text: 'Option ===>', seconds: 10 })).to.deep.equal({});
    const { fields } = (await session.ask({ cmd: 'fields' })) as { fields: Array<Record<string, unknown>> };
    const option = fields.find((field) => field.protected === false);
    expect(option).to.include({ row: 2, col: 13, length: 8, numeric: false, nonDisplayable: false, text: '' });
    const screen = await session.ask({ cmd: 'screen' });
    expect(screen).to.include({ rows: 43, cols: 80, formatted: true, locked: false, mode: '3270' });
    expect(await session.quit()).to.equal(0);
  });

  it('sends nothing before text in the middle of a field, and blanks with blankFill', async () => {
    const answerTo = async (settings: object, shown: string) => {
      const session = drive(settings);
      await session.ask({ cmd: 'wait', text: 'SIGNON', seconds: 10 });
      for (const key of ['Right', 'Right']) await session.ask({ cmd: 'key', key });
      await session.ask({ cmd: 'type', text: 'demo' });
      await session.ask({ cmd: 'key', key: 'Tab' });
      await session.ask({ cmd: 'type', text: PASSWORD });
      await session.ask({ cmd: 'key', key: 'Enter' });
      return session.ask({ cmd: 'wait', text: shown, seconds: 10 });
    };
    expect(await answerTo({}, 'Option ===>')).to.deep.equal({});
    expect(await answerTo({ blankFill: true }, 'Userid or password is not valid')).to.deep.equal({});
  });

  it('waits for a text at its place, for unlocking and for the end, no longer than it is told', async () => {
    const session = drive();
    expect(await session.ask({ cmd: 'wait', text: 'SIGNON', row: 0, col: 1 })).to.deep.equal({});
    expect(await session.ask({ cmd: 'wait', text: 'SIGNON', row: 5, col: 1, seconds: 0.1 })).to.have.key('error');
    expect(await session.ask({ cmd: 'wait', until: 'unlocked' })).to.deep.equal({});
    await session.ask({ cmd: 'key', key: 'PF3' });
    expect(await session.ask({ cmd: 'wait', until: 'ended' })).to.deep.equal({});
    expect((await session.ask({ cmd: 'type', text: 'x' })).error).to.equal('the host ended the session');
    expect(await session.ask({ cmd: 'screen' })).to.include({ mode: 'none', locked: true });
    expect(await session.quit()).to.equal(0);
  });

  it('presses a key and waits, and answers once', async () => {
    const session = drive();
    await session.ask({ cmd: 'wait', until: 'field' });
    await session.ask({ cmd: 'type', text: 'demo' });
    await session.ask({ cmd: 'key', key: 'Tab' });
    await session.ask({ cmd: 'type', text: PASSWORD });
    expect(await session.ask({ cmd: 'key', key: 'Enter', text: 'Option ===>', row: 2, col: 1 })).to.deep.equal({});
    expect((await session.rows())[2]).to.include('Option ===>');
    await session.ask({ cmd: 'type', text: '1' });
    const before = await session.rows();
    const answer = await session.ask({ cmd: 'key', key: 'Enter', until: 'unlocked' });
    expect(answer, 'when the host has answered').to.deep.equal({});
    const { locked, text } = await session.ask({ cmd: 'screen' });
    expect(locked).to.equal(false);
    expect(text).to.not.deep.equal(before);
    const late = await session.ask({ cmd: 'key', key: 'PF8', text: 'never displayed', seconds: 0.1 });
    expect(late).to.deep.equal({ error: 'timed out after 0.1 seconds' });
    expect(await session.ask({ cmd: 'key', key: 'F1', until: 'unlocked' })).to.deep.equal({
      error: 'there is no key F1',
    });
    expect(await session.quit()).to.equal(0);
  });

  it('presses no key where it is to wait for what cannot be', async () => {
    const session = drive();
    await session.ask({ cmd: 'wait', until: 'field' });
    for (const wrong of [{ until: 'summer' }, { until: 'text' }, { seconds: 3_601 }, { text: '' }]) {
      expect(await session.ask({ cmd: 'key', key: 'PF3', ...wrong }), JSON.stringify(wrong)).to.have.key('error');
    }
    expect(await session.ask({ cmd: 'screen' }), 'PF3 would have ended it').to.include({ mode: '3270', locked: false });
    // of what it waits for, the end of the session is one
    expect(await session.ask({ cmd: 'key', key: 'PF3', until: 'ended', seconds: 10 })).to.deep.equal({});
    expect(await session.quit()).to.equal(0);
  });

  it('says what is wrong with a line, and goes on', async () => {
    const session = drive();
    expect(await session.ask({ cmd: 'wait', text: 'SIGNON', seconds: 10 })).to.deep.equal({});
    for (const line of ['no json', '[1', 'null', '{}', '{"cmd":"constructor"}', '{"cmd":"key","key":"F1"}']) {
      expect(await session.ask(line), line).to.have.key('error');
    }
    expect(await session.ask({ cmd: 'type', text: 'x'.repeat(10_001) })).to.have.key('error');
    const before = await session.ask({ cmd: 'screen' });
    // sent as they are they would be orders: Set Buffer Address, Start Field
    for (const control of ['\u0000', '\u0011', '\u001d', '\u0085']) {
      const answer = await session.ask({ cmd: 'type', text: `A${control}B` });
      expect(answer).to.deep.equal({ error: 'text: no control characters; press keys with "key"' });
    }
    expect(await session.ask({ cmd: 'screen' })).to.deep.equal(before);
    expect(await session.ask({ cmd: 'type', text: 'x'.repeat(10_000) })).to.deep.equal({});
    expect(await session.ask({ cmd: 'text', row: 24, col: 0 })).to.have.key('error');
    expect(await session.ask({ cmd: 'wait', until: 'summer' })).to.have.key('error');
    expect(await session.ask({ cmd: 'wait', seconds: 3_601 })).to.have.key('error');
    expect(await session.quit()).to.equal(0);
  });

  it('says that nobody listens, and ends with 1', async () => {
    const session = drive({}, 1);
    expect((await session.ask({ cmd: 'wait', until: 'field' })).error).to.match(/127\.0\.0\.1:1: connection refused/);
    expect(await session.quit()).to.equal(1);
  });

  it('says on standard error why there was no connection, where nobody has asked', async () => {
    const { code, stdout, stderr } = await sallyportInProcess(['drive', '127.0.0.1', '1'], { input: '' });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.match(/^Error: (?:127\.0\.0\.1:1: connection refused|standard input ended before)/);
  });

  it('refuses settings and arguments that are wrong, with 2', async () => {
    for (const [words, expected] of [
      [['127.0.0.1', '0'], 'no port: 0'],
      [['127.0.0.1', '23', '{'], 'not JSON'],
      [['127.0.0.1', '23', '{"modl":"2"}'], 'did you mean model?'],
      [['127.0.0.1', '23', '{"model":"3290"}'], 'not a terminal model: 3290'],
      [['127.0.0.1', '23', '{"model":3279}'], 'model: expected a string'],
      [['127.0.0.1', '23', '{"codepage":"cp9"}'], 'no code page cp9'],
      [['127.0.0.1', '23', '{"oversize":"300x10"}'], 'not a screen size'],
      [['127.0.0.1', '23', '{"lu":"a b"}'], 'lu: up to'],
      [['127.0.0.1', '23', '{"tls":{"ca":"/nowhere"}}'], 'tls: '],
    ] as const) {
      const { code, stderr } = await sallyportInProcess(['drive', ...words]);
      expect(stderr).to.include(expected);
      expect(code).to.equal(2);
    }
    const [node, ...command] = driveCommand;
    const { status, stderr } = spawnSync(node, [...command, '127.0.0.1', '0'], { encoding: 'utf8' });
    expect([status, stderr.includes('no port: 0')]).to.deep.equal([2, true]);
  });

  it('traces what goes over the line, without what was typed unseen', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-trace-'));
    try {
      const trace = join(folder, 'session.trc');
      const session = drive({ trace });
      await session.ask({ cmd: 'wait', until: 'field' });
      await session.ask({ cmd: 'type', text: 'demo' });
      await session.ask({ cmd: 'key', key: 'Tab' });
      await session.ask({ cmd: 'type', text: PASSWORD });
      await session.ask({ cmd: 'key', key: 'Enter' });
      await session.ask({ cmd: 'wait', text: 'Option ===>' });
      await session.quit();
      expect(existsSync(trace)).to.equal(true);
      const lines = readFileSync(trace, 'utf8').split('\n');
      // the form that the readers of such files look for
      const transfers = lines.filter((line) => /^[<>] 0x[0-9a-f]+\s+[0-9a-f]+\s*$/.test(line));
      expect(transfers.length).to.be.greaterThan(10);
      const bytes = transfers.map((line) => line.replace(/^. 0x[0-9a-f]+\s+/, '')).join('');
      const ebcdic = Buffer.from(findCodePage('IBM037')?.encode(PASSWORD) ?? []).toString('hex');
      expect(bytes).to.include('84859496');
      expect(bytes).to.not.include(ebcdic);
      expect(bytes).to.include('5c'.repeat(PASSWORD.length));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
