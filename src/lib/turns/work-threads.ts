import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import type { StopSignal } from '../stop-signal.js';
import { FairQueue } from './fair-queue.js';
import { processorTime, type ThreadOrder, type ThreadReply, type ThreadWork } from './thread-orders.js';

interface WorkThreadsOptions {
  readonly threads: number;
  /** That one address has at the same time. */
  readonly threadsOfAddress: number;
  /** Orders that wait in all, and of one address. */
  readonly waiting: number;
  readonly waitingOfAddress: number;
  /** Processor time of an order, from when its module is loaded; undefined: no limit. */
  readonly milliseconds?: number;
  /** Of the heap of a thread; undefined: as much as the process. */
  readonly megabytes?: number;
  /** Of a result, serialized; undefined: no limit. */
  readonly resultBytes?: number;
  readonly refusal: () => Error;
}

/** Who gives an order. */
export interface Orderer {
  /** What counts as one client. */
  readonly address: string;
  /** Takes an order that waits out of the queue. */
  readonly signal?: StopSignal;
}

/** Processor time of a check of a text that a user sent. */
const CHECK_SECONDS = 2;
const MEGABYTES_OF_CHECK = 128;
/** Reading the largest result takes about 10 ms. */
const LARGEST_RESULT_BYTES = 1024 * 1024;
const MOST_CHECKS_WAITING = 100;
const MOST_CHECKS_WAITING_OF_ADDRESS = 20;
/** A thread that has had no work for so long ends. */
const IDLE_MILLISECONDS = 60_000;
const RETRY_AFTER_SECONDS = 2;
/** On a busy machine an order may take so many times its limit by the clock. */
const MOST_TIMES_BY_CLOCK = 10;

/**
 * Threads for work that would hold the event loop. A thread starts when there is work for it. Orders that find no thread wait, and
 * addresses are served in turn. An order that exceeds its time or memory ends its thread and fails; no other order fails.
 */
export class WorkThreads {
  /** For texts that users send. One address has one thread at the most, so that another address always finds one. */
  static readonly ofUsers = new WorkThreads({
    threads: 2,
    threadsOfAddress: 1,
    waiting: MOST_CHECKS_WAITING,
    waitingOfAddress: MOST_CHECKS_WAITING_OF_ADDRESS,
    milliseconds: CHECK_SECONDS * 1_000,
    megabytes: MEGABYTES_OF_CHECK,
    resultBytes: LARGEST_RESULT_BYTES,
    refusal: () => new ServiceError('SVC_ERR_CHECK_BUSY', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } }),
  });
  /** For files of the operator, which may be large: only their own bounds limit the work. */
  static readonly ofOperator = new WorkThreads({
    threads: 2,
    threadsOfAddress: 1,
    waiting: 1_000,
    waitingOfAddress: 1_000,
    refusal: () => new ServiceError('SVC_ERR_SERVICE_BUSY'),
  });

  readonly #options: WorkThreadsOptions;
  readonly #queue: FairQueue<void>;
  readonly #idle: WorkThread[] = [];
  readonly #busyByAddress = new Map<string, number>();
  #busy = 0;

  constructor(options: WorkThreadsOptions) {
    const { waiting: most, waitingOfAddress: mostOfAddress, refusal } = options;
    this.#options = options;
    this.#queue = new FairQueue({ most, mostOfAddress, refusal });
  }

  /** Orders that wait for a thread. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * @throws ServiceError SVC_ERR_CHECK_COMPLEX, and the refusal of a full queue; what the signal was aborted with; and the
   *   ServiceErrors that the work throws
   */
  async run<Order, Result>(
    { name, module }: ThreadWork<Order, Result>,
    order: Order,
    { address, signal }: Orderer,
  ): Promise<Result> {
    if (this.#hasThreadFor(address)) {
      if (signal?.aborted === true) throw signal.reason;
      this.#count(address, 1);
    } else await this.#queue.wait(address, signal);
    try {
      const { resultBytes: mostBytes = Number.POSITIVE_INFINITY } = this.#options;
      return resultOf(await this.#onThread({ name, module: module.href, order, mostBytes })) as Result;
    } finally {
      this.#count(address, -1);
      this.#serveWaiting();
    }
  }

  #hasThreadFor(address: string): boolean {
    const { threads, threadsOfAddress } = this.#options;
    return this.#busy < threads && (this.#busyByAddress.get(address) ?? 0) < threadsOfAddress;
  }

  #count(address: string, change: 1 | -1): void {
    const busy = (this.#busyByAddress.get(address) ?? 0) + change;
    this.#busy += change;
    if (busy === 0) this.#busyByAddress.delete(address);
    else this.#busyByAddress.set(address, busy);
  }

  #serveWaiting(): void {
    for (;;) {
      const address = this.#queue.next((one) => this.#hasThreadFor(one));
      if (address === undefined) return;
      this.#count(address, 1);
      this.#queue.serve(undefined, address);
    }
  }

  async #onThread(order: ThreadOrder): Promise<ThreadEnd> {
    const thread = this.#idle.pop() ?? new WorkThread(this.#options);
    const end = await thread.perform(order, () => this.#forget(thread));
    if (thread.isAlive) this.#idle.push(thread);
    return end;
  }

  #forget(thread: WorkThread): void {
    const at = this.#idle.indexOf(thread);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}

type ThreadEnd = Exclude<ThreadReply, { kind: 'begun' }> | { readonly kind: 'late' } | { readonly kind: 'outOfMemory' };

function resultOf(end: ThreadEnd): unknown {
  switch (end.kind) {
    case 'done':
      return deserialize(end.bytes);
    case 'late':
      throw tooComplex(`It takes more than ${CHECK_SECONDS} seconds of processor time.`);
    case 'outOfMemory':
      throw tooComplex('It needs too much memory.');
    case 'tooLarge':
      throw tooComplex('Its result is too large.');
    case 'refused':
      throw new ServiceError(end.code, end.detail === undefined ? {} : { detail: end.detail });
    case 'failed': {
      const error = new Error(`work on a thread failed: ${end.message}`);
      error.stack = `${error.name}: ${error.message}\n${end.frames}`;
      throw error;
    }
  }
}

function tooComplex(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_CHECK_COMPLEX', { detail });
}

/** One thread, which does one piece of work at a time. */
class WorkThread {
  readonly #worker: Worker;
  readonly #milliseconds: number | undefined;
  #isAlive = true;
  #end: ThreadEnd = { kind: 'failed', message: 'the thread ended', frames: '' };
  #resolve: ((end: ThreadEnd) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #gone = () => {};

  constructor({ milliseconds, megabytes }: WorkThreadsOptions) {
    this.#milliseconds = milliseconds;
    this.#worker = new Worker(new URL('./work-thread.js', import.meta.url), {
      name: 'work',
      ...(megabytes === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: megabytes } }),
    });
    this.#worker.on('message', (reply: ThreadReply) => {
      if (reply.kind === 'begun') this.#limit(reply.thread);
      else this.#settle(reply);
    });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const { name, stack = '' } = error;
      const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
      this.#end =
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { kind: 'outOfMemory' }
          : { kind: 'failed', message: name, frames: frames.join('\n') };
    });
    this.#worker.on('exit', () => {
      this.#leave();
      this.#settle(this.#end);
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** @param gone called when the thread takes no more orders, now or later */
  perform(order: ThreadOrder, gone: () => void): Promise<ThreadEnd> {
    clearTimeout(this.#timer);
    this.#gone = gone;
    // a process waits for work that is under way, and for nothing else of a thread
    this.#worker.ref();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      try {
        this.#worker.postMessage(order);
      } catch {
        // the message of the error quotes the order
        this.#settle({ kind: 'failed', message: 'the order cannot be copied to a thread', frames: '' });
      }
    });
  }

  #limit(thread: number | undefined): void {
    if (this.#milliseconds === undefined) return;
    const most = this.#milliseconds;
    const order = this.#resolve;
    const usedNow = () => (thread === undefined ? undefined : processorTime(thread));
    const before = usedNow() ?? 0;
    const latest = performance.now() + MOST_TIMES_BY_CLOCK * most;
    const look = () => {
      const now = usedNow();
      // without the thread's own time, the clock counts
      const left = Math.min(now === undefined ? 0 : most - (now - before), latest - performance.now());
      if (left > 0) wait(left);
      else this.#endLate();
    };
    // if the event loop was held, the reply may have arrived: it is read first
    const wait = (milliseconds: number) => {
      this.#timer = setTimeout(() => setImmediate(() => this.#resolve === order && look()), Math.ceil(milliseconds));
    };
    wait(most);
  }

  #endLate(): void {
    this.#end = { kind: 'late' };
    this.#terminate();
  }

  #terminate(): void {
    this.#leave();
    void this.#worker.terminate();
  }

  /** Takes no more orders. */
  #leave(): void {
    this.#isAlive = false;
    this.#gone();
  }

  #settle(end: ThreadEnd): void {
    clearTimeout(this.#timer);
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (resolve === undefined) return;
    this.#worker.unref();
    if (this.#isAlive) this.#timer = setTimeout(() => this.#terminate(), IDLE_MILLISECONDS).unref();
    resolve(end);
  }
}
