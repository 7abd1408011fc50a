import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { encodeCall, encodeFrame } from '../../src/s3270/program/daemon/daemon-call.js';
import { daemonSocketPath } from '../../src/s3270/program/daemon/daemon-socket.js';
import { S3270Daemon } from '../../src/s3270/program/daemon/s3270-daemon.js';
import { runS3270 } from '../../src/s3270/program/run-s3270.js';
import type { CodePage } from '../../src/tn3270/codepage/code-page.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { eventually } from '../support/eventually.js';
import { commandScript } from '../support/project.js';

describe('the s3270 daemon', () => {
  let folder: string;
  let path: string;
  let daemon: S3270Daemon | undefined;
  const callers: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-daemon-'));
    path = join(folder, 'own', 's3270.sock');
  });
  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.kill('SIGKILL');
    await daemon?.close();
    daemon = undefined;
    rmSync(folder, { recursive: true });
  });

  function call(words: readonly string[] = []): ChildProcess & { readonly answers: Promise<[string, string, number]> } {
    const caller = spawn(process.execPath, [commandScript, 's3270', ...words], {
      cwd: folder,
      env: { ...process.env, SALLYPORT_S3270_SOCKET: path },
    });
    callers.push(caller);
    const answers = Promise.all([text(caller.stdout), text(caller.stderr), once(caller, 'close')]).then(
      ([output, error, [code]]): [string, string, number] => [output, error, code],
    );
    return Object.assign(caller, { answers });
  }

  /** Sends a line as callers do, and reads what the daemon sends until it ends the connection. */
  async function sent(line: string | Buffer): Promise<string> {
    const socket = connect(path);
    socket.write(line);
    return text(socket);
  }

  it('gives each caller a session of its own, at once', async () => {
    daemon = await S3270Daemon.listen(path, runS3270);
    const [one, other] = [call(['-model', '2']), call(['-model', '3', '-set', 'blankFill'])];
    one.stdin?.end('Query(Model)\nShow(ConnectionState)\n');
    other.stdin?.write('Query(Model)\n');
    const [output, error, code] = await one.answers;
    expect(output).to.match(/^data: IBM-3279-2-E\nL U U N N 2 24 80 0 0 0x0 \d+\.\d{3}\nok\n/);
    expect([error, code]).to.deep.equal(['', 0]);
    other.stdin?.end('Quit\n');
    expect((await other.answers)[0]).to.match(/^data: IBM-3279-3-E\nL U U N N 3 \d\d 80 0 0 0x0 \d+\.\d{3}\nok\n$/);
  });

  it('writes errors where the caller has its own, and returns its exit code', async () => {
    daemon = await S3270Daemon.listen(path, runS3270);
    const [output, error, code] = await call(['-foo']).answers;
    expect([output, error, code]).to.deep.equal([
      '',
      'Unknown or incomplete option: -foo\nUsage: s3270 [options] [prefix:][LUname@]hostname[:port]\nUse --help for the list of options\n',
      1,
    ]);
  });

  it('finds relative names of files in the folder of its caller', async () => {
    daemon = await S3270Daemon.listen(path, runS3270);
    const host = new SimulatedHost({ codePage: findCodePage('IBM037') as CodePage, users: {}, start: 'SIGNON' });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    const caller = call(['-trace', '-tracefile', 'of-caller.trc', `127.0.0.1:${port}`]);
    caller.stdin?.end('Wait(InputField)\n');
    expect((await caller.answers)[0]).to.match(/\nok\n$/);
    expect(statSync(join(folder, 'of-caller.trc')).size).to.be.greaterThan(100);
    await host.close();
  });

  it('ends the session of a caller that is killed', async () => {
    daemon = await S3270Daemon.listen(path, runS3270);
    const host = new SimulatedHost({ codePage: findCodePage('IBM037') as CodePage, users: {}, start: 'SIGNON' });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    const caller = call([`127.0.0.1:${port}`]);
    caller.stdin?.write('Wait(InputField)\nWait(600,Disconnect)\n');
    await eventually(() => host.sessions === 1 || undefined);
    caller.kill('SIGKILL');
    await eventually(() => host.sessions === 0 || undefined);
    await host.close();
  });

  it('keeps nothing of a session that is over, whether or not it had a host', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'counting-daemon.js'), path]);
    callers.push(child);
    const counted = async () => Number(String((await once(child.stdout, 'data'))[0]));
    await counted();
    const host = new SimulatedHost({ codePage: findCodePage('IBM037') as CodePage, users: {}, start: 'SIGNON' });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    const session = async (words: readonly string[]) => {
      const line = encodeCall({ words, folder, environment: {}, processId: process.pid }) ?? '';
      await sent(
        Buffer.concat([
          Buffer.from(line),
          encodeFrame('input', Buffer.from('Query(Cursor)\n')),
          encodeFrame('inputEnd', Buffer.alloc(0)),
        ]),
      );
    };
    const kept = async () => {
      for (const words of [[], [`127.0.0.1:${port}`]]) await session(words);
      await eventually(() => host.sessions === 0 || undefined);
      const count = counted();
      child.stdin.write('\n');
      return count;
    };
    const before = await kept();
    for (let round = 0; round < 3; round++) await kept();
    // the last session may still be ending when it is counted; what is kept grows with each round
    await eventually(async () => ((await kept()) <= before ? true : undefined));
    await host.close();
  });

  it('is said to have ended, where it has', async () => {
    daemon = await S3270Daemon.listen(path, runS3270);
    const caller = call();
    caller.stdin?.write('Query(Cursor)\n');
    await once(caller.stdout as NonNullable<typeof caller.stdout>, 'data');
    await daemon.close();
    const [, error, code] = await caller.answers;
    expect([error, code]).to.deep.equal(['The s3270 daemon has ended, and this session with it.\n', 1]);
    expect(existsSync(path)).to.equal(false);
  });

  it('is not needed', async () => {
    const caller = call();
    caller.stdin?.end('Quit\n');
    expect(await caller.answers).to.deep.equal(['', '', 0]);
  });

  it('listens where only its user may', async () => {
    daemon = await S3270Daemon.listen(path, runS3270);
    expect(statSync(dirname(path)).mode & 0o777).to.equal(0o700);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('neither listens nor is called in a folder that others may enter', async () => {
    mkdirSync(dirname(path));
    chmodSync(dirname(path), 0o750);
    const refused = await S3270Daemon.listen(path, runS3270).catch((error) => error.message);
    expect(refused).to.equal(`${dirname(path)} is open to other users: chmod 700 ${dirname(path)}`);
    chmodSync(dirname(path), 0o700);
    daemon = await S3270Daemon.listen(path, async () => {
      throw new Error('was called');
    });
    chmodSync(dirname(path), 0o701);
    const caller = call();
    caller.stdin?.end('Quit\n');
    expect(await caller.answers).to.deep.equal(['', '', 0]);
  });

  it('starts none where there is more than --daemon, and says what else there is', async () => {
    expect(await call(['--daemon', 'extra']).answers).to.deep.equal([
      '',
      '--daemon takes no further arguments: each s3270 that the daemon serves has its own. Use --help for the list of options\n',
      2,
    ]);
    const [output, help, code] = await call(['--daemon', '--help']).answers;
    expect([output, code]).to.deep.equal(['', 0]);
    expect(help).to.match(/^Usage: s3270 \[options\][\s\S]*With --daemon alone/);
    expect(existsSync(path)).to.equal(false);
  });

  it('runs once, and takes the place of one that was killed', async () => {
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, '');
    daemon = await S3270Daemon.listen(path, runS3270);
    const refused = await S3270Daemon.listen(path, runS3270).catch((error) => error.message);
    expect(refused).to.equal(`A daemon already listens at ${path}.`);
    expect(await sent(`${JSON.stringify({ words: ['-foo'], folder, environment: {}, processId: 1 })}\n`)).to.contain(
      'Unknown or incomplete option: -foo',
    );
  });

  it('takes calls of 1,048,576 bytes, and no longer ones nor others', async () => {
    daemon = await S3270Daemon.listen(path, async ({ words: [word = ''], output }) => {
      output.write(`length ${word.length}`);
      return 0;
    });
    const callOf = (bytes: number) => {
      const empty = JSON.stringify({ words: [''], folder: '/', environment: {}, processId: 1 });
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    };
    expect(callOf(1_048_576).length).to.equal(1_048_576);
    expect(await sent(`${callOf(1_048_576)}\n`)).to.match(/length 1048\d\d\d/);
    for (const line of [
      `${callOf(1_048_577)}\n`,
      'GET / HTTP/1.1\n',
      '{"words":[1],"folder":"/"}\n',
      '{"words":[]}\n',
    ]) {
      expect(await sent(line), line.slice(0, 40)).to.contain('The s3270 daemon was not called by s3270.\n');
    }
  });

  it('cuts a caller off that sends what is no frame', async () => {
    let gone: AbortSignal | undefined;
    daemon = await S3270Daemon.listen(path, async (caller) => {
      gone = caller.gone;
      await once(gone as AbortSignal, 'abort');
      return 0;
    });
    const call = JSON.stringify({ words: [], folder: '/', environment: {}, processId: 1 });
    expect(await sent(`${call}\n\x04\x00\x00\x00\x03abc\x05\x00\x01\x00\x01`)).to.equal('');
    expect(gone?.aborted).to.equal(true);
  });

  it('has so many sessions, and refuses the next', async () => {
    daemon = await S3270Daemon.listen(path, runS3270, 1);
    const first = call();
    first.stdin?.write('Query(Cursor)\n');
    await once(first.stdout as NonNullable<typeof first.stdout>, 'data');
    const refusal = 'The s3270 daemon has the maximum number of sessions (1).\n';
    expect(await call().answers).to.deep.equal(['', refusal, 1]);
    first.stdin?.end('Quit\n');
    expect((await first.answers)[2]).to.equal(0);
    await eventually(async () => {
      const next = call();
      next.stdin?.end('Quit\n');
      return (await next.answers)[2] === 0 || undefined;
    });
  });

  it('says where its path is too long for a socket', () => {
    const longest = `/${'x'.repeat(106)}`;
    expect(daemonSocketPath({ SALLYPORT_S3270_SOCKET: longest })).to.equal(longest);
    expect(() => daemonSocketPath({ SALLYPORT_S3270_SOCKET: `${longest}x` })).to.throw(
      /too long for a socket \(107 bytes\)/,
    );
    expect(daemonSocketPath({ XDG_RUNTIME_DIR: '/run/user/7' })).to.equal('/run/user/7/sallyport/s3270.sock');
  });
});
