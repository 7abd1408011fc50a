import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import type { Reason } from '../locale.js';
import type { StopSignal } from '../stop-signal.js';
import { FairQueue } from './fair-queue.js';
import { processorTime, type ThreadOrder, type ThreadReply, type ThreadWork } from './thread-orders.js';

interface WorkThreadsOptions {
  readonly threads: number;
  readonly threadsOfAddress: number;
  /** Waiting orders, in total and per address. */
  readonly waiting: number;
  readonly waitingOfAddress: number;
  /** CPU time limit of an order, from the time its module is loaded. Undefined: no limit. */
  readonly milliseconds?: number;
  /** Heap limit of a thread. Undefined: that of the process. */
  readonly megabytes?: number;
  /** Limit of the serialized result. Undefined: no limit. */
  readonly resultBytes?: number;
  readonly refusal: () => Error;
}

export interface Orderer {
  readonly address: string;
  readonly signal?: StopSignal;
}

const CHECK_SECONDS = 2;
const MEGABYTES_OF_CHECK = 128;
/** Deserializing the largest result takes about 10 ms. */
const LARGEST_RESULT_BYTES = 1024 * 1024;
const MOST_CHECKS_WAITING = 100;
const MOST_CHECKS_WAITING_OF_ADDRESS = 20;
const IDLE_MILLISECONDS = 60_000;
const RETRY_AFTER_SECONDS = 2;
/** Wall-clock limit, as a multiple of the CPU time limit. */
const MOST_TIMES_BY_CLOCK = 10;

/**
 * Threads for work that would block the event loop. Threads start on demand. Orders wait for a free thread, and
 * addresses are served in turn. An order over its time or memory limit fails and ends its thread, without effect on
 * other orders.
 */
export class WorkThreads {
  /** For texts from users. Each address may use only one thread, so that one is left for other addresses. */
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
  /** For files of the operator, which may be large. Only the limits of the files apply. */
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

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * @throws ServiceError SVC_ERR_CHECK_COMPLEX, the refusal of a full queue, the reason of the signal, and
   * ServiceErrors of the work
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
      throw tooComplex({ code: 'check.time', values: { seconds: CHECK_SECONDS } });
    case 'outOfMemory':
      throw tooComplex({ code: 'check.memory' });
    case 'tooLarge':
      throw tooComplex({ code: 'check.result' });
    case 'refused':
      throw new ServiceError(end.code, { detail: end.detail });
    case 'failed': {
      const error = new Error(`work on a thread failed: ${end.message}`);
      error.stack = `${error.name}: ${error.message}\n${end.frames}`;
      throw error;
    }
  }
}

function tooComplex(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_CHECK_COMPLEX', { detail });
}

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

  /** @param gone called when the thread accepts no more orders */
  perform(order: ThreadOrder, gone: () => void): Promise<ThreadEnd> {
    clearTimeout(this.#timer);
    this.#gone = gone;
    // An idle thread must not keep the process alive.
    this.#worker.ref();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      try {
        this.#worker.postMessage(order);
      } catch {
        // The original message quotes the order.
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
      // Without CPU time, the wall clock counts.
      const left = Math.min(now === undefined ? 0 : most - (now - before), latest - performance.now());
      if (left > 0) wait(left);
      else this.#endLate();
    };
    // After a blocked event loop, a reply may already be queued. `setImmediate` lets it be read first.
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
