import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { listenPrivately, makePrivateFile, privacyFault, usualFileMode } from '../../src/lib/files/private-path.js';
import { awaited } from '../support/awaited.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { commandScript } from '../support/project.js';

const PASSWORD = 'canary-of-private-files-1';

const configuration = `data: ./state
security: { database: ./state/security.yaml }
macros: ./state/macros
directories: { CLI: . }
lines: { A-HTTP: { listen: 127.0.0.1:0, entryPoint: E } }
entryPoints: { E: { directory: CLI } }
`;
const severalProcesses = `processes: 2
data: ./state
directories: { CLI: . }
lines: { A-HTTP: { listen: 127.0.0.1:0, entryPoint: E } }
entryPoints: { E: { directory: CLI } }
`;

/** What a folder holds at any depth, with its mode. */
function below(folder: string, top = folder): [path: string, mode: string, kind: string][] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const facts = lstatSync(path, { throwIfNoEntry: false });
    // it was there for a moment
    if (facts === undefined) return [];
    const kind = facts.isDirectory() ? 'folder' : facts.isSocket() ? 'socket' : 'file';
    const own = [relative(top, path), (facts.mode & 0o777).toString(8), kind] as [string, string, string];
    return [own, ...(kind === 'folder' ? below(path, top) : [])];
  });
}

for (const umask of ['000', '077']) {
  describe(`what is made on the disk under umask ${umask}`, () => {
    let folder: string;
    let made: string;
    const running: ChildProcess[] = [];

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'sallyport-private-'));
      made = join(folder, 'made');
      mkdirSync(made, { mode: 0o700 });
    });
    afterEach(async () => {
      for (const child of running.splice(0)) await ended(child);
      rmSync(folder, { recursive: true });
    });

    async function ended(child: ChildProcess): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const over = once(child, 'close');
      child.kill();
      await awaited('sallyport', 'its end', over, () => child.kill('SIGKILL'));
    }

    /** A command under the umask; all that it makes is in one folder. */
    function start(...words: readonly string[]): ChildProcess {
      const line = ['-c', 'umask "$0"; exec "$@"', umask, process.execPath, commandScript, ...words];
      const env = {
        ...process.env,
        TMPDIR: made,
        XDG_RUNTIME_DIR: join(made, 'runtime'),
        HOME: made,
        SALLYPORT_S3270_SOCKET: '',
      };
      const child = spawn('sh', line, { cwd: made, env, stdio: ['pipe', 'pipe', 'inherit'] });
      running.push(child);
      child.stdout?.resume();
      return child;
    }
    async function run(input: string, ...words: readonly string[]): Promise<void> {
      const child = start(...words);
      child.stdin?.end(input);
      const [code] = await awaited('sallyport', `the end of ${words.join(' ')}`, once(child, 'close'));
      expect(code, words.join(' ')).to.equal(0);
    }
    /** All of it belongs to its owner alone; a lock tells a process and holds no secret. */
    function expectPrivate(): string[] {
      const found = below(made).filter(([path]) => path !== 'sallyport.yaml' && !path.endsWith('.lock'));
      for (const [path, mode, kind] of found)
        expect(mode, `${kind} ${path}`).to.match(kind === 'folder' ? /^700$/ : /^[64]00$/);
      return found.map(([path, , kind]) => `${kind} ${path}`);
    }

    const appears = (program: string, path: string) =>
      awaited(
        program,
        path,
        eventually(() => lstatSync(path, { throwIfNoEntry: false })),
        undefined,
        60_000,
      );

    it('is private: a server, its users, tokens, backup and what is restored', async () => {
      writeFileSync(join(made, 'sallyport.yaml'), configuration);
      await run(`${PASSWORD}\n`, 'user', 'add', 'root', '--role', 'administrator', '--password-stdin');
      await run('', 'token', 'add', 'robot', '--scope', 'sessions');
      const server = start('serve');
      await appears('sallyport serve', join(made, 'state/server.json'));
      expect(expectPrivate()).to.include.members([
        ...['folder state', 'file state/security.yaml', 'file state/audit.jsonl', 'file state/server.json'],
      ]);
      await ended(server);
      await run('', 'backup', 'backup.tgz');
      await run('', 'restore', 'backup.tgz');
      expect(expectPrivate()).to.include('file backup.tgz');
    });

    it('is private: the sockets between the processes of a server', async () => {
      writeFileSync(join(made, 'sallyport.yaml'), severalProcesses);
      const server = start('serve');
      const isThere = () => below(made).some(([, , kind]) => kind === 'socket') || undefined;
      await awaited('sallyport serve', 'a socket of a worker', eventually(isThere), undefined, 60_000);
      const found = below(made).filter(([, , kind]) => kind === 'folder');
      // whoever may not enter the folder cannot connect to a socket in it
      for (const [path, mode] of found) expect(mode, path).to.equal('700');
      await ended(server);
    });

    it('is private: the daemon, cookies, traces and sockets of s3270', async () => {
      const daemon = start('s3270', '--daemon');
      await appears('the s3270 daemon', join(made, 'runtime/sallyport/s3270.sock'));
      expect(expectPrivate()).to.deep.equal([
        ...['folder runtime', 'folder runtime/sallyport', 'socket runtime/sallyport/s3270.sock'],
      ]);
      await ended(daemon);
      const actions = 'ScreenTrace(on)\nTrace(on,trace)\nPrintText(file,printed)\nTrace(off)\nScreenTrace(off)\nQuit\n';
      await run(actions, 's3270', '-trace', '-tracefile', 'own');
      const port = await freePort();
      const child = start('s3270', '-cookiefile', 'cookie', '-httpd', String(port), '-socket');
      const socket = `/tmp/x3sck.${child.pid}`;
      const facts = await appears('sallyport s3270', socket);
      expect([facts.isSocket(), (facts.mode & 0o777).toString(8)]).to.deep.equal([true, '600']);
      const kinds = expectPrivate();
      expect(kinds).to.include.members(['file cookie', 'file own', 'file printed']);
      expect(kinds.some((one) => /^file x3scr\.\d+(-\d+)?\.txt$/.test(one))).to.equal(true);
      await ended(child);
    });
  });
}

describe('private files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-private-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have a socket that is private from its first moment, and the umask of the process is as before', async () => {
    const before = process.umask(0);
    const server = createServer();
    const path = join(folder, 'socket');
    try {
      const listening = listenPrivately(server, path);
      // bound by now, and nothing else has run
      expect([(lstatSync(path).mode & 0o777).toString(8), process.umask()]).to.deep.equal(['600', 0]);
      await listening;
      const taken = createServer();
      const fault = await listenPrivately(taken, path).catch(({ code }) => code);
      expect([fault, process.umask()]).to.deep.equal(['EADDRINUSE', 0]);
    } finally {
      process.umask(before);
      server.close();
    }
  });

  it('are not made through a link that waits under their name', () => {
    const target = join(folder, 'target');
    symlinkSync(target, join(folder, 'name'));
    expect(() => makePrivateFile(join(folder, 'name'), 'secret')).to.throw(/EEXIST/);
    expect(existsSync(target)).to.equal(false);
  });

  it('are told of where others may look into them', async () => {
    expect(await privacyFault(folder)).to.equal(undefined);
    expect(await privacyFault(join(folder, 'none'))).to.equal(undefined);
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o750);
    expect(await privacyFault(open)).to.equal(`${open} is open to other users: chmod 700 ${open}`);
    writeFileSync(join(folder, 'file'), '');
    chmodSync(join(folder, 'file'), 0o604);
    expect(await privacyFault(join(folder, 'file'))).to.match(/chmod 600/);
  });

  it('differ from usual ones, which are as open as the umask has them', () => {
    const before = process.umask(0o027);
    try {
      expect(usualFileMode().toString(8)).to.equal('640');
      process.umask(0);
      expect(usualFileMode().toString(8)).to.equal('644');
    } finally {
      process.umask(before);
    }
  });
});
