import { Worker } from 'node:worker_threads';
import { type ErrorCode, ServiceError } from '../errors.js';
import { readMacroSet } from './macro-reading.js';

/** Files of more are checked on another thread: the largest take 80 ms, which is too long for everybody else. */
const LARGEST_CHECKED_HERE_BYTES = 65_536;

export interface FileToCheck {
  readonly number: number;
  readonly bytes: Uint8Array;
}

export interface CheckedFile {
  readonly number: number;
  readonly fault: { readonly code: ErrorCode; readonly detail: string | undefined } | undefined;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Says whether files are macro files; the thread for large ones begins with the first of them. */
export class MacroCheck {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastNumber = 0;

  /** @throws ServiceError as `readMacroSet` does */
  async check(bytes: Buffer): Promise<void> {
    if (bytes.length <= LARGEST_CHECKED_HERE_BYTES) {
      readMacroSet(bytes);
      return;
    }
    const number = ++this.#lastNumber;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#thread().postMessage({ number, bytes } satisfies FileToCheck);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./macro-check-worker.js', import.meta.url));
    this.#worker = worker;
    // a thread that has nothing to do keeps no process alive
    worker.unref();
    worker.on('message', ({ number, fault }: CheckedFile) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (fault === undefined) waiting?.resolve();
      else waiting?.reject(new ServiceError(fault.code, fault.detail === undefined ? {} : { detail: fault.detail }));
    });
    let reason: unknown;
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      const error = new Error('the thread that checks macro files ended', { cause: reason });
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    return worker;
  }
}
