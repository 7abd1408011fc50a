import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandScript } from './project.js';

export const driveCommand = [process.execPath, commandScript, 'drive'] as const;

export type DriveReply = Readonly<Record<string, unknown>>;

export class DriveProcess {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: Array<(reply: DriveReply) => void> = [];
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  errors = '';

  constructor(port: number, settings: object = {}) {
    const [node, ...words] = driveCommand;
    this.#process = spawn(node, [...words, '127.0.0.1', String(port), JSON.stringify(settings)]);
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (code) => resolve(code));
    });
    this.#process.stderr.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      this.#waiting.shift()?.(JSON.parse(line) as DriveReply);
    });
  }

  ask(request: object | string): Promise<DriveReply> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin.write(`${typeof request === 'string' ? request : JSON.stringify(request)}\n`);
    });
  }

  async rows(): Promise<readonly string[]> {
    return (await this.ask({ cmd: 'text' })).text as readonly string[];
  }

  async quit(): Promise<number | null> {
    await this.ask({ cmd: 'quit' });
    return this.ended;
  }

  kill(): void {
    this.#process.kill();
  }
}
