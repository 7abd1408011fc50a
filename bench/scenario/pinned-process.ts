import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Cores of the parts; undefined to let the kernel choose. */
export interface CorePlan {
  readonly server: number | undefined;
  readonly demo: number | undefined;
  readonly load: number | undefined;
  readonly words: string;
}

/** Reserves a core for the measured server if there are two cores and `taskset` is installed. */
export function planCores(): CorePlan {
  const cores = availableParallelism();
  const canPin = spawnSync('taskset', ['--version']).status === 0;
  if (cores < 2 || !canPin) {
    const reason = canPin ? 'there is one core only' : 'taskset is not installed';
    return { server: undefined, demo: undefined, load: undefined, words: `no process is pinned: ${reason}` };
  }
  const load = cores > 2 ? 2 : 1;
  const words = `pinned with taskset: server under test on core 0, demo service on core 1, load generator on core ${load}`;
  return { server: 0, demo: 1, load, words };
}

export interface ProcessPlan {
  readonly args: readonly string[];
  readonly core: number | undefined;
  readonly output: string;
}

const STOP_MILLISECONDS = 10_000;

export class PinnedProcess {
  readonly pid: number;
  readonly output: string;
  readonly #child: ChildProcess;
  #ended = false;

  constructor({ args, core, output }: ProcessPlan) {
    this.output = output;
    const file = openSync(output, 'a');
    const command = core === undefined ? [] : ['taskset', '-c', String(core)];
    const [program = '', ...rest] = [...command, process.execPath, ...args];
    this.#child = spawn(program, rest, {
      stdio: ['ignore', file, file, 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    closeSync(file);
    const killWithParent = () => this.#child.kill('SIGKILL');
    process.once('exit', killWithParent);
    this.#child.once('exit', () => {
      this.#ended = true;
      process.off('exit', killWithParent);
    });
    // taskset replaces itself by the program, so the process ID is the same
    this.pid = this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return !this.#ended;
  }

  /** Sends a message. @returns the answer; rejects if the process exits instead */
  ask<Answer>(message: object | string): Promise<Answer> {
    const answer = this.next<Answer>();
    this.#child.send(message);
    return answer;
  }

  /** @returns the next message; rejects if the process exits before */
  next<Message>(): Promise<Message> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`process ${this.pid} ended`));
      this.#child.once('exit', onExit);
      this.#child.once('message', (message) => {
        this.#child.off('exit', onExit);
        resolve(message as Message);
      });
    });
  }

  async stop(): Promise<void> {
    if (this.#ended) return;
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MILLISECONDS);
    await ended;
    clearTimeout(timer);
  }
}
