import { PassThrough, Writable } from 'node:stream';
import { runCommandLine } from '../../src/cli/command-line.js';
import { main, type Surroundings } from './macro-process.js';
import type { Finished } from './sallyport-process.js';

/** One at a time: the folder and the streams belong to the whole process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `sallyport` to its end as a process of its own does, without its start: what it would print, read and return is
 * the same. That a process ends, and that main.ts sets its exit code, is for the tests that start one.
 */
export function sallyportInProcess(
  args: readonly string[],
  surroundings: Partial<Surroundings> = {},
): Promise<Finished> {
  const finished = last.then(() => runIn(args, surroundings));
  last = finished.catch(() => {});
  return finished;
}

/** The same of `sallyport macros`. */
export function macrosInProcess(args: readonly string[], surroundings: Surroundings): Promise<Finished> {
  return sallyportInProcess(['macros', ...args], surroundings);
}

async function runIn(args: readonly string[], { folder, input = '', environment }: Partial<Surroundings>) {
  const stdout = new Collected();
  const stderr = new Collected();
  const before = { folder: process.cwd(), environment: process.env, argv: process.argv };
  const streams = Object.getOwnPropertyDescriptors(process);
  try {
    const { SALLYPORT_PASSWORD: _, ...others } = process.env;
    process.env = { ...others, ...environment };
    process.argv = [process.execPath, main, ...args];
    replaceStreams({ stdin: new PassThrough().end(input), stdout, stderr });
    if (folder !== undefined) process.chdir(folder);
    const code = await runCommandLine(args);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before.folder);
    process.env = before.environment;
    process.argv = before.argv;
    for (const name of ['stdin', 'stdout', 'stderr'] as const) Object.defineProperty(process, name, streams[name]);
  }
}

function replaceStreams(streams: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}
