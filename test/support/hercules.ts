import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awaited } from './awaited.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

export function hasHercules(): boolean {
  const { error } = spawnSync('hercules', ['-v'], { stdio: 'ignore', timeout: 2_000 });
  return error?.message.includes('ENOENT') !== true;
}

/** Console port of Hercules without an operating system: each terminal gets a device and the banner. */
export class Hercules {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  /** @param devices one for each terminal: a device is not reusable immediately */
  static async start(devices: readonly string[]): Promise<Hercules> {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-hercules-'));
    const port = await freePort();
    const configuration = [
      'ARCHMODE S/370',
      'CPUMODEL 3033',
      'MAINSIZE 16',
      'NUMCPU 1',
      `CNSLPORT 127.0.0.1:${port}`,
      '0009 3215-C /',
      ...devices.map((device) => `${device} 3270`),
    ];
    const file = join(folder, 'hercules.cnf');
    writeFileSync(file, `${configuration.join('\n')}\n`);
    const child = spawn('hercules', ['-d', '-f', file], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
    const listening = eventually(() => listens(port));
    await awaited('hercules', `a console at port ${port}`, listening, () => child.kill('SIGKILL'));
    return new Hercules(port, child, folder);
  }

  stop(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
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
