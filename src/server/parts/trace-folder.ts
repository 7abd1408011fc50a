import { createWriteStream } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import type { OpenTrace, TraceFile, TraceFiles } from '../../operation/trace-operations.js';

const FILE = /^([0-9A-Za-z-]{1,64})\.trace$/;
const MOST_HEAD_BYTES = 1024;
const MOST_WAITING_BYTES = 1024 * 1024;

/** Traces as files in a folder, for the owner only. */
export class TraceFolder implements TraceFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async begin(name: string): Promise<OpenTrace> {
    await makePrivateFolder(this.#folder);
    const stream = createWriteStream(this.#placeOf(name), { flags: 'wx', mode: 0o600 });
    await new Promise<void>((resolve, reject) => stream.once('open', () => resolve()).once('error', reject));
    let isBroken = false;
    stream.on('error', () => {
      isBroken = true;
    });
    return {
      write: (line) => {
        if (isBroken || stream.writableEnded || stream.writableLength > MOST_WAITING_BYTES) return false;
        stream.write(`${line}\n`);
        return true;
      },
      close: () => new Promise((resolve) => (isBroken ? resolve() : stream.end(() => resolve()))),
    };
  }

  async list(): Promise<readonly TraceFile[]> {
    const names = (await readdir(this.#folder).catch(ifGone)) ?? [];
    const files = names.flatMap((name) => FILE.exec(name)?.[1] ?? []).map((name) => this.#factsOf(name).catch(ifGone));
    return (await Promise.all(files)).flatMap((file) => file ?? []).sort((one, other) => other.written - one.written);
  }

  async read(name: string): Promise<string | undefined> {
    if (!FILE.test(`${name}.trace`)) return undefined;
    return readFile(this.#placeOf(name), 'utf8').catch(ifGone);
  }

  async remove(name: string): Promise<boolean> {
    if (!FILE.test(`${name}.trace`)) return false;
    await rm(this.#placeOf(name), { force: true });
    return true;
  }

  async #factsOf(name: string): Promise<TraceFile> {
    const file = await open(this.#placeOf(name), 'r');
    try {
      const { size, mtimeMs } = await file.stat();
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MOST_HEAD_BYTES), position: 0 });
      const [head = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
      return { name, bytes: size, written: mtimeMs, head };
    } finally {
      await file.close();
    }
  }

  #placeOf(name: string): string {
    return join(this.#folder, `${name}.trace`);
  }
}

function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
