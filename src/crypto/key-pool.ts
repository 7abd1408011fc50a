import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { FairQueue } from '../fair-queue.js';
import { type Log, silentLog } from '../log.js';
import { KeyPair } from './key-pair.js';
import type { KeyOrder, MadeKey } from './key-worker.js';

interface KeyPoolOptions {
  /** Of the modulus. */
  readonly bits: number;
  /** Pairs kept ready. */
  readonly size: number;
  /** Sessions that may wait for a pair when none is ready; past that they are refused. */
  readonly mostWaiting: number;
  /** Of one address; not given: all of them. */
  readonly mostWaitingOfAddress?: number;
  readonly log?: Log;
}

const RETRY_AFTER_SECONDS = '5';
const LONGEST_STOP_MILLISECONDS = 1_000;

/**
 * RSA key pairs generated in advance, on threads of the lowest priority: generating one takes from 10 ms to seconds. Each pair is
 * used once. If none is ready, requests wait, and addresses are served in turn.
 */
export class KeyPool {
  readonly #options: KeyPoolOptions;
  readonly #log: Log;
  readonly #ready: KeyPair[] = [];
  readonly #waiting: FairQueue<KeyPair>;
  readonly #workers = new Set<Worker>();
  readonly #busy = new Set<Worker>();
  #closed = false;

  constructor(options: KeyPoolOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    const { mostWaiting: most, mostWaitingOfAddress: mostOfAddress = most } = options;
    this.#waiting = new FairQueue({ most, mostOfAddress, refusal: busy });
  }

  /** Begins to fill the pool. */
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
   * A pair that was not used before.
   * @param address what counts as one client
   * @throws ServiceError SVC_ERR_SERVICE_BUSY where too many wait already or the pool is closed
   */
  take(address = ''): Promise<KeyPair> {
    if (this.#closed) return Promise.reject(busy());
    const pair = this.#ready.pop();
    const taken = pair === undefined ? this.#waiting.wait(address) : Promise.resolve(pair);
    this.#fill();
    return taken;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#ready.length = 0;
    this.#waiting.refuseAll();
    const ended = Promise.all([...this.#workers].map((worker) => worker.terminate()));
    // a thread that is stuck does not delay stopping
    await Promise.race([ended, wait(LONGEST_STOP_MILLISECONDS, undefined, { ref: false })]);
  }

  /** Gives every thread that has nothing to do a pair to make, while pairs are missing. */
  #fill(): void {
    const wanted = () => this.#options.size + this.#waiting.size - this.#ready.length - this.#busy.size;
    if (this.#closed) return;
    for (const worker of this.#workers) {
      if (wanted() <= 0) return;
      if (!this.#busy.has(worker)) this.#order(worker);
    }
    // one thread fills the pool; the others start when requests wait or half of it is used
    const hurry = this.#waiting.size > 0 || this.#ready.length < this.#options.size / 2;
    const most = hurry ? availableParallelism() : 1;
    while (wanted() > 0 && this.#workers.size < most) this.#order(this.#hire());
  }

  #order(worker: Worker): void {
    this.#busy.add(worker);
    const order: KeyOrder = this.#options.bits;
    worker.postMessage(order);
  }

  #hire(): Worker {
    const worker = new Worker(new URL('./key-worker.js', import.meta.url));
    // a pool does not keep the process alive
    worker.unref();
    this.#workers.add(worker);
    worker.on('message', ({ privateKey, modulus, exponent }: MadeKey) => {
      this.#busy.delete(worker);
      this.#give(new KeyPair(privateKey, modulus, exponent));
      this.#fill();
    });
    worker.on('error', (error) => this.#log.error({ err: error }, 'a thread that generates keys failed'));
    worker.on('exit', () => this.#lost(worker));
    return worker;
  }

  #give(pair: KeyPair): void {
    if (!this.#waiting.serve(pair)) this.#ready.push(pair);
  }

  #lost(worker: Worker): void {
    this.#workers.delete(worker);
    this.#busy.delete(worker);
    // waiting requests fail, because the next thread may fail again
    if (this.#workers.size === 0) this.#waiting.refuseAll();
  }
}

function busy(): ServiceError {
  return new ServiceError('SVC_ERR_SERVICE_BUSY', {
    detail: 'no key pair is ready',
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
