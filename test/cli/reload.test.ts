import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { projectFolder } from '../support/project.js';
import { sallyportInProcess } from './command-in-process.js';
import { SallyportProcess, sallyport } from './sallyport-process.js';

const configuration = (description: string) => `directories: { CLI: . }
lines:
  A-HTTP: { listen: 127.0.0.1:0, entryPoint: E }
entryPoints: { E: { directory: CLI, description: ${description} } }
`;

describe('sallyport reload', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-reload-'));
    file = join(folder, 'sallyport.yaml');
    await writeFile(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
  });
  beforeEach(() => writeFile(file, configuration('first')));
  after(() => rm(folder, { recursive: true }));

  it('has the server read its configuration again, and refuses a wrong one before the server sees it', async function () {
    skipUnless(this, process.platform === 'linux', 'the system does not tell when a process began');
    const server = new SallyportProcess(['serve', '--config', file, '--log-form', 'json'], folder);
    const [, url = ''] = await server.prints(/^A-HTTP +(http\S+)/m);

    await writeFile(file, configuration('second'));
    const told = await sallyport(['reload', '--config', file], folder);
    expect([told.code, told.stdout]).to.deep.equal([
      0,
      `Process ${server.child.pid} is reloading ${file}; see its log for the result.\n`,
    ]);
    const [line] = await server.prints(/\{[^\n]*"the configuration was read again"[^\n]*/);
    expect(JSON.parse(line ?? '')).to.deep.include({ takenOver: ['entryPoints'], by: 'SIGHUP' });

    await writeFile(file, 'nonsense: 1\n');
    const refused = await sallyportInProcess(['reload', '--config', file], { folder });
    expect([refused.code, refused.stdout]).to.deep.equal([2, '']);
    expect(refused.stderr).to.include('nonsense');

    server.child.kill('SIGHUP');
    await server.prints(/the configuration is invalid; the server continues with the previous one/);
    expect((await fetch(`${url}/E.HTML`)).status).to.equal(200);

    server.child.kill('SIGTERM');
    expect((await server.finished).code).to.equal(0);
  });

  it('finds the first of two servers with one data folder, also when the second has ended, which warns of it', async function () {
    skipUnless(this, process.platform === 'linux', 'the system does not tell when a process began');
    const first = new SallyportProcess(['serve', '--config', file, '--log-form', 'json'], folder);
    await first.prints(/^A-HTTP +(http\S+)/m);
    const second = new SallyportProcess(['serve', '--config', file, '--log-form', 'json'], folder);
    const [line] = await second.prints(/\{[^\n]*another server uses the same data folder[^\n]*/);
    expect(JSON.parse(line ?? '')).to.include({ level: 40, process: first.child.pid });
    await second.prints(/^A-HTTP +(http\S+)/m);
    second.child.kill('SIGTERM');
    expect((await second.finished).code).to.equal(0);
    const told = await sallyport(['reload', '--config', file], folder);
    expect(told.stdout).to.include(`Process ${first.child.pid} is reloading ${file}`);
    first.child.kill('SIGTERM');
    expect((await first.finished).code).to.equal(0);
  });

  describe('of a server that still starts', () => {
    /** Whoever reads it waits for what is written: the start stands still there. */
    let pipe: string;
    before(function () {
      skipUnless(this, process.platform === 'linux', 'the start is held by a named pipe');
      pipe = join(folder, 'pipe.yaml');
      execFileSync('mkfifo', [pipe]);
    });
    const start = () => new SallyportProcess(['serve', '--config', pipe, '--log-form', 'json'], folder);
    const isOpenAt = ({ child }: SallyportProcess) =>
      readdirSync(`/proc/${child.pid}/fd`).some((fd) => linkOf(`/proc/${child.pid}/fd/${fd}`) === pipe);
    async function isRead(text: string, whileWaiting = () => {}): Promise<void> {
      const writer = await open(pipe, 'w');
      try {
        whileWaiting();
        await writer.writeFile(text);
      } finally {
        await writer.close();
      }
    }

    it('is done as soon as it serves: neither SIGHUP nor SIGUSR2 ends it or is forgotten', async () => {
      const server = start();
      await isRead(configuration('first'), () => {
        server.child.kill('SIGUSR2');
        server.child.kill('SIGHUP');
      });
      await server.prints(/^A-HTTP/m);
      await isRead(configuration('second'));
      const [line] = await server.prints(/\{[^\n]*"the configuration was read again"[^\n]*/);
      expect(JSON.parse(line ?? '')).to.deep.include({ takenOver: ['entryPoints'], by: 'SIGHUP' });
      await server.prints(/SIGUSR2 is ignored: it restarts workers, and this server has no workers/);
      server.child.kill('SIGTERM');
      expect((await server.finished).code).to.equal(0);
    });

    /** Sends the signals where the launcher first looks for a file: nothing of the program is loaded by then. */
    const atItsBeginning = `
const fs = require('node:fs');
const { existsSync } = fs;
fs.existsSync = (path) => {
  fs.existsSync = existsSync;
  require('node:module').syncBuiltinESMExports();
  for (const signal of ['SIGHUP', 'SIGUSR2']) process.kill(process.pid, signal);
  return existsSync(path);
};
require('node:module').syncBuiltinESMExports();
`;

    for (const [name, args] of [
      ['program.cjs', ['serve']],
      ['sallyport.mjs', ['serve']],
      ['program.cjs', []],
    ] as const) {
      it(`is done where the signals come before the program is loaded: ${[name, ...args].join(' ')}`, async () => {
        const preloaded = join(folder, 'signals.cjs');
        await writeFile(preloaded, atItsBeginning);
        const script = join(projectFolder, 'scripts', name);
        const options = ['--config', file, '--log-form', 'json'];
        const server = new SallyportProcess([...args, ...options], folder, ['--require', preloaded], script);
        await server.prints(/"the configuration was read again"/);
        await server.prints(/SIGUSR2 is ignored: it restarts workers, and this server has no workers/);
        server.child.kill('SIGTERM');
        expect((await server.finished).code).to.equal(0);
      });
    }

    it('ends with SIGTERM, before it has a log', async () => {
      const server = start();
      const ended = server.finished;
      await isRead('', () => server.child.kill('SIGTERM')).catch(() => {});
      await ended;
      expect(server.child.signalCode).to.equal('SIGTERM');
    });

    it('restarts workers as soon as all serve: they may have read the configuration before', async () => {
      await writeFile(file, `processes: 2\n${configuration('first')}`);
      const server = new SallyportProcess(['serve', '--config', file, '--log-form', 'json'], folder);
      await eventually(() => (server.stdout.includes('"worker":"1"') ? true : undefined));
      server.child.kill('SIGUSR2');
      await server.prints(/all workers are running/);
      await server.prints(/all workers were restarted/);
      server.child.kill('SIGTERM');
      expect((await server.finished).code).to.equal(0);
    });

    it('ends in good order with SIGTERM where its workers still start', async () => {
      const server = start();
      const several = `processes: 2\n${configuration('first')}`;
      await isRead(several);
      // whoever opens the pipe then is a worker
      await eventually(() => (isOpenAt(server) ? undefined : true));
      // the one that waits for it is gone soon
      await isRead(several, () => server.child.kill('SIGTERM')).catch(() => {});
      const { code, stdout } = await server.finished;
      expect(code, stdout).to.equal(0);
      expect(stdout).to.include('"msg":"stopping: ').and.to.include('"msg":"stopped"');
    });
  });

  it('tells where no server runs, also where another process has its number', async () => {
    const told = await sallyport(['reload', '--config', file], folder);
    expect([told.code, told.stdout]).to.deep.equal([1, '']);
    expect(told.stderr).to.match(/^No running server with this configuration was found/);
    const note = join(folder, 'data', 'server.json');
    for (const content of [
      JSON.stringify({ pid: process.pid, started: '1' }),
      '{"pid":-1}',
      'nonsense',
      '{"pid":0,"started":"1"}',
    ]) {
      await writeFile(note, content);
      expect((await sallyportInProcess(['reload', '--config', file], { folder })).code, content).to.equal(1);
      expect(await readFile(note, 'utf8')).to.equal(content);
    }
  });
});

/** Empty: it is gone meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
