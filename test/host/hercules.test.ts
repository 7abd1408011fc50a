import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DriveProcess } from '../support/drive-process.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';

/** Our terminal against a second host that we did not write: the console port of Hercules, which needs no operating system. */
describe('a session with Hercules', () => {
  let hercules: ChildProcessWithoutNullStreams;
  let folder: string;
  let port: number;
  let isInstalled = false;

  before(async () => {
    const { error } = spawnSync('hercules', ['-v'], { stdio: 'ignore', timeout: 2_000 });
    isInstalled = error?.message.includes('ENOENT') !== true;
    if (!isInstalled) return;
    folder = mkdtempSync(join(tmpdir(), 'sallyport-hercules-'));
    port = await freePort();
    const configuration = [
      'ARCHMODE S/370',
      'CPUMODEL 3033',
      'MAINSIZE 16',
      'NUMCPU 1',
      `CNSLPORT 127.0.0.1:${port}`,
      '0009 3215-C /',
      // one for each test: a device is not free again at once
      ...['00C0', '00C1', '00C2', '00C3'].map((device) => `${device} 3270`),
    ];
    const file = join(folder, 'hercules.cnf');
    writeFileSync(file, `${configuration.join('\n')}\n`);
    hercules = spawn('hercules', ['-d', '-f', file], { cwd: folder });
    hercules.stdout.resume();
    hercules.stderr.resume();
    await eventually(() => listens(port));
  });

  after(() => {
    hercules?.kill('SIGKILL');
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  for (const model of ['3279-2-E', '3278-2', '3279-4-E']) {
    it(`shows its banner on a ${model}`, async function () {
      skipUnless(this, isInstalled, 'hercules is not installed');
      const session = new DriveProcess(port, { model });
      try {
        expect(await session.ask({ cmd: 'wait', text: 'Hercules Version', seconds: 15 })).to.deep.equal({});
        const rows = await session.rows();
        expect(rows[6]).to.match(/^ Device number {5}: 00C[0-3]$/);
        expect(await session.quit()).to.equal(0);
      } finally {
        session.kill();
      }
    });
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function listens(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (found: true | undefined) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(undefined));
  });
}
