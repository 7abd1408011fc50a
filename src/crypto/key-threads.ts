import { Worker } from 'node:worker_threads';
import type { Log } from '../lib/log/log.js';
import { KeyPair } from './key-pair.js';
import type { KeyOrder, KeyPriority, MadeKey } from './key-worker.js';

interface KeyThreadsOptions {
  /** Of the modulus. */
  readonly bits: number;
  readonly priority: KeyPriority;
  readonly log: Log;
  readonly made: (pair: KeyPair) => void;
  /** The last thread has failed. */
  readonly failed?: () => void;
}

/** Threads that generate key pairs, one pair at a time each. They are started when there is something to do. */
export class KeyThreads {
  readonly #options: KeyThreadsOptions;
  readonly #workers = new Set<Worker>();
  readonly #busy = new Set<Worker>();

  constructor(options: KeyThreadsOptions) {
    this.#options = options;
  }

  /** Pairs that are being generated. */
  get busy(): number {
    return this.#busy.size;
  }

  /**
   * Orders so many pairs, as far as threads have nothing to do.
   * @param most threads
   */
  order(pairs: number, most: number): void {
    for (let ordered = 0; ordered < pairs && this.#busy.size < most; ordered++) {
      const worker = [...this.#workers].find((one) => !this.#busy.has(one)) ?? this.#hire();
      const order: KeyOrder = this.#options.bits;
      this.#busy.add(worker);
      worker.postMessage(order);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #hire(): Worker {
    const { priority, log, made } = this.#options;
    const worker = new Worker(new URL('./key-worker.js', import.meta.url), { workerData: priority });
    // the threads do not keep the process alive
    worker.unref();
    this.#workers.add(worker);
    worker.on('message', ({ privateKey, modulus, exponent }: MadeKey) => {
      this.#busy.delete(worker);
      made(new KeyPair(privateKey, modulus, exponent));
    });
    worker.on('error', (error) => log.error({ err: error }, 'a thread that generates keys failed'));
    worker.on('exit', () => this.#lost(worker));
    return worker;
  }

  #lost(worker: Worker): void {
    this.#workers.delete(worker);
    this.#busy.delete(worker);
    if (this.#workers.size === 0) this.#options.failed?.();
  }
}
