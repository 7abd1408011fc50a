import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandScript } from '../test/support/project.js';

export class HostProcess {
  readonly #process: ChildProcess;

  private constructor(
    process: ChildProcess,
    readonly port: number,
  ) {
    this.#process = process;
  }

  /** @param further options of `sallyport simulated-host` */
  static async start(...further: readonly string[]): Promise<HostProcess> {
    const words = ['simulated-host', '--listen', '127.0.0.1:0', '--terminals-per-address', '10000', ...further];
    const child = spawn(process.execPath, [commandScript, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<number>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the host has ended')));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /:(\d+)$/.exec(line);
        if (found !== null) resolve(Number(found[1]));
      });
    });
    return new HostProcess(child, port);
  }

  stop(): void {
    this.#process.removeAllListeners('exit');
    this.#process.kill();
  }
}
