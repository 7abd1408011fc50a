import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { commandScript } from './project.js';

const END_BYTES = 16;

/** What a server is started with so that it writes its memory into its folder when it gets `HEAP_SIGNAL`. */
export const heapOnSignal = ['--import', new URL('heap-on-signal.js', import.meta.url).href] as const;
export const HEAP_SIGNAL = 'SIGPWR';

/** The text of a heap snapshot; undefined while it is being written. Only its end is looked at until then: it has 50 MB. */
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

/** A server in a process of its own, whose output and memory a test looks through. */
export class WatchedServer {
  readonly #process: ChildProcess;
  readonly #folder: string;
  /** What it has written to either output. */
  output = '';

  /** @param folder where it runs, and writes its memory */
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

  /** The address of a line, once it listens. */
  urlOf(line: string): Promise<string> {
    return eventually(() => new RegExp(`${line}\\s+(http:\\S+)`).exec(this.output)?.[1]);
  }

  /** Every string of its memory, actors and their snapshots among them, after a collection. */
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

  /** Resolves when it is gone, and writes no more. */
  async kill(signal?: NodeJS.Signals): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill(signal);
    await gone;
  }
}
