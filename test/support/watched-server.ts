import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { commandScript } from './project.js';

const END_BYTES = 16;

export const heapOnSignal = ['--import', new URL('heap-on-signal.js', import.meta.url).href] as const;
export const HEAP_SIGNAL = 'SIGPWR';

/** Text of a heap snapshot; undefined while it is being written, which is checked at its end because it has 50 MB. */
export function wholeSnapshot(file: string): string | undefined {
  const snapshot = openSync(file, 'r');
  try {
    const end = Buffer.alloc(END_BYTES);
    const read = readSync(snapshot, end, 0, END_BYTES, Math.max(0, fstatSync(snapshot).size - END_BYTES));
    if (!end.toString('latin1', 0, read).trimEnd().endsWith(']}')) return undefined;
    return readFileSync(snapshot, 'utf8');
  } finally {
    closeSync(snapshot);
  }
}

export class WatchedServer {
  readonly #process: ChildProcess;
  readonly #folder: string;
  output = '';

  /** @param folder working folder, also of the heap snapshot */
  constructor(folder: string, file: string) {
    this.#folder = folder;
    const main = commandScript;
    this.#process = spawn(process.execPath, [...heapOnSignal, main, 'serve', '--config', file], {
      cwd: folder,
    });
    const gather = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    this.#process.stdout?.on('data', gather);
    this.#process.stderr?.on('data', gather);
  }

  urlOf(line: string): Promise<string> {
    return eventually(() => new RegExp(`${line}\\s+(http:\\S+)`).exec(this.output)?.[1]);
  }

  /** Every string in the heap after a garbage collection, including actors and their snapshots. */
  async heapSnapshot(): Promise<string> {
    const before = new Set(readdirSync(this.#folder));
    this.#process.kill(HEAP_SIGNAL);
    return eventually(() => {
      const name = readdirSync(this.#folder).find((file) => file.endsWith('.heapsnapshot') && !before.has(file));
      if (name === undefined) return undefined;
      return wholeSnapshot(join(this.#folder, name));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Resolves when it has exited and its output is complete. */
  async kill(signal?: NodeJS.Signals): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill(signal);
    await gone;
  }
}
