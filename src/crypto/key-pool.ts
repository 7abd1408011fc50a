import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../lib/errors.js';
import { type Log, silentLog } from '../lib/log/log.js';
import { FairQueue } from '../lib/turns/fair-queue.js';
import { KeyPair } from './key-pair.js';
import type { KeyOrder, KeyPriority, MadeKey } from './key-worker.js';

interface KeyPoolOptions {
  /** Length of the modulus. */
  readonly bits: number;
  readonly size: number;
  /** Maximum number of sessions waiting for a pair; further ones are rejected. */
  readonly mostWaiting: number;
  /** Maximum per address; `mostWaiting` by default. */
  readonly mostWaitingOfAddress?: number;
  readonly log?: Log;
}

const RETRY_AFTER_SECONDS = '5';
const LONGEST_STOP_MILLISECONDS = 1_000;
/** Generated when the pool opens; others follow after pauses, so a start does not occupy the processor for a minute. */
const FIRST_PAIRS = 16;
const REST_MILLISECONDS = 1_000;
const processors = availableParallelism();

/**
 * Generates RSA key pairs in advance, because one takes from 10 ms to seconds. Each pair is used once. If none is
 * ready, requests wait, and addresses are served in turn. Pairs for waiting requests are generated on threads of normal
 * priority, pairs in advance on threads of the lowest priority, which do not run while all processors are busy.
 */
export class KeyPool {
  readonly #options: KeyPoolOptions;
  readonly #ready: KeyPair[] = [];
  readonly #waiting: FairQueue<KeyPair>;
  /** For waiting requests. */
  readonly #prompt: KeyThreads;
  /** For future requests. */
  readonly #ahead: KeyThreads;
  /**
   * Target number of ready pairs. It grows to the size of the pool after pauses and with each request that must wait.
   * Used pairs are replaced without a pause.
   */
  #level: number;
  #resting: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: KeyPoolOptions) {
    this.#options = options;
    const { bits, size, mostWaiting: most, mostWaitingOfAddress: mostOfAddress = most, log = silentLog } = options;
    this.#waiting = new FairQueue({ most, mostOfAddress, refusal: busy });
    const made = (pair: KeyPair) => this.#give(pair);
    // reject waiting requests, because the next thread may fail too
    const failed = () => this.#waiting.refuseAll();
    this.#prompt = new KeyThreads({ bits, priority: 'usual', log, made, failed });
    this.#ahead = new KeyThreads({ bits, priority: 'lowest', log, made });
    this.#level = Math.min(size, FIRST_PAIRS);
  }

  open(): void {
    this.#fill();
  }

  get ready(): number {
    return this.#ready.length;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * @param address identifies one client
   * @throws ServiceError SVC_ERR_SERVICE_BUSY if too many requests are waiting or the pool is closed
   */
  take(address = ''): Promise<KeyPair> {
    if (this.#closed) return Promise.reject(busy());
    const pair = this.#ready.pop();
    // a waiting request shows that more pairs are needed: grow without a pause
    if (pair === undefined && this.#level < this.#options.size) this.#level++;
    const taken = pair === undefined ? this.#waiting.wait(address) : Promise.resolve(pair);
    this.#fill();
    return taken;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#resting);
    this.#ready.length = 0;
    this.#waiting.refuseAll();
    const ended = Promise.all([this.#prompt.close(), this.#ahead.close()]);
    // a blocked thread does not delay stopping
    await Promise.race([ended, wait(LONGEST_STOP_MILLISECONDS, undefined, { ref: false })]);
  }

  #give(pair: KeyPair): void {
    if (!this.#waiting.serve(pair)) this.#ready.push(pair);
    this.#fill();
  }

  #fill(): void {
    if (this.#closed) return;
    // leave one processor to the event loop
    this.#prompt.order(this.#waiting.size - this.#prompt.busy, Math.max(1, processors - 1));
    // one thread fills the pool; others start if requests wait or fewer than half of the pairs are ready
    const hurry = this.#waiting.size > 0 || this.#ready.length < this.#level / 2;
    const making = this.#prompt.busy + this.#ahead.busy;
    const missing = this.#level + this.#waiting.size - this.#ready.length - making;
    this.#ahead.order(missing, hurry ? processors : 1);
    if (this.#ready.length >= this.#level) this.#growAfterRest();
  }

  #growAfterRest(): void {
    if (this.#resting !== undefined || this.#level >= this.#options.size) return;
    const grow = () => {
      this.#resting = undefined;
      this.#level++;
      this.#fill();
    };
    this.#resting = setTimeout(grow, REST_MILLISECONDS).unref();
  }
}

function busy(): ServiceError {
  return new ServiceError('SVC_ERR_SERVICE_BUSY', {
    detail: 'no key pair is ready',
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}

interface KeyThreadsOptions {
  readonly bits: number;
  readonly priority: KeyPriority;
  readonly log: Log;
  readonly made: (pair: KeyPair) => void;
  readonly failed?: () => void;
}

class KeyThreads {
  readonly #options: KeyThreadsOptions;
  readonly #workers = new Set<Worker>();
  readonly #busy = new Set<Worker>();

  constructor(options: KeyThreadsOptions) {
    this.#options = options;
  }

  get busy(): number {
    return this.#busy.size;
  }

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
