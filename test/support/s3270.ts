import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Context } from 'mocha';
import { need } from './need.js';

export function needS3270(test: Context): void {
  const { error } = spawnSync('s3270', ['-v'], { stdio: 'ignore' });
  need(test, error === undefined, 's3270 is not installed');
}

export interface S3270Options {
  readonly model?: string;
  readonly oversize?: string;
  readonly codePage?: string;
  readonly further?: readonly string[];
}

interface Reply {
  readonly data: readonly string[];
  readonly status: readonly string[];
  readonly fine: boolean;
}

const ACTION_MILLISECONDS = 45_000;

export class S3270 {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: Array<(reply: Reply) => void> = [];
  #data: string[] = [];
  #status: readonly string[] = [];

  constructor({ model = '3279-2-E', oversize, codePage = 'cp037', further = [] }: S3270Options = {}) {
    const size = oversize === undefined ? [] : ['-oversize', oversize];
    this.#process = spawn('s3270', ['-utf8', '-model', model, '-codepage', codePage, ...size, ...further]);
    this.#process.on('error', () => undefined);
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#take(line));
  }

  /** Does not wait for an input field. @param host in s3270 syntax, such as `L:LU0001@127.0.0.1:41023` */
  async connect(host: string): Promise<Reply> {
    return this.ask(`Connect("C:${host}")`);
  }

  /** Runs an action. The reply contains its success; rejects if s3270 does not answer. */
  ask(action: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`s3270 does not answer to ${action}`)), ACTION_MILLISECONDS);
      this.#waiting.push((reply) => {
        clearTimeout(timer);
        resolve(reply);
      });
      this.#process.stdin.write(`${action}\n`);
    });
  }

  async screen(): Promise<string[]> {
    return [...(await this.ask('Ascii()')).data];
  }

  async waitFor(text: string): Promise<string[]> {
    const end = Date.now() + ACTION_MILLISECONDS;
    for (;;) {
      const rows = await this.screen();
      if (rows.some((row) => row.includes(text))) return rows;
      if (Date.now() > end) throw new Error(`s3270 does not show "${text}" but:\n${rows.join('\n')}`);
      await this.ask('Wait(0.2,Output)');
    }
  }

  async status(): Promise<readonly string[]> {
    return (await this.ask('Query(ConnectionState)')).status;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  stop(): void {
    this.#process.kill();
  }

  #take(line: string): void {
    if (line.startsWith('data: ')) this.#data.push(line.slice('data: '.length));
    else if (line === 'ok' || line === 'error') {
      const reply = { data: this.#data, status: this.#status, fine: line === 'ok' };
      this.#data = [];
      this.#waiting.shift()?.(reply);
    } else {
      this.#status = line.split(' ');
    }
  }
}
