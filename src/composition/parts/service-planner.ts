import { Worker } from 'node:worker_threads';
import type { withoutSources } from '../../config/load-services.js';
import { ServiceError } from '../../errors.js';
import type { MadePlan, PlanOrder } from './service-plan.js';

/** Orders that are carried out or wait. */
const MOST_ORDERS = 20;

export type PlannerOrder =
  | { readonly kind: 'plan'; readonly plan: PlanOrder }
  | { readonly kind: 'load'; readonly folder: string };

/** What a thread says of the order that it was given. */
export type PlannerReply =
  | { readonly kind: 'plan'; readonly plan: MadePlan }
  | { readonly kind: 'services'; readonly services: ServedServices }
  | { readonly kind: 'failed'; readonly error: unknown };

type ServedServices = ReturnType<typeof withoutSources>;

/** Reads services folders on a thread of its own, one order at a time: one near its bounds takes seconds. The thread begins with the first. */
export class ServicePlanner {
  #orders = 0;
  #ordered: Promise<unknown> = Promise.resolve();
  #worker: Worker | undefined;
  #waiting: { readonly resolve: (reply: PlannerReply) => void; readonly reject: (error: unknown) => void } | undefined;

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY, and what the making of the plan does */
  async plan(plan: PlanOrder): Promise<MadePlan> {
    if (this.#orders >= MOST_ORDERS) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    const reply = await this.#inTurn({ kind: 'plan', plan });
    if (reply.kind !== 'plan') throw new Error(`a plan was ordered, and ${reply.kind} came`);
    return reply.plan;
  }

  /** What a folder holds now; refused never, as what has been published is to be served. */
  async load(folder: string): Promise<ServedServices> {
    const reply = await this.#inTurn({ kind: 'load', folder });
    if (reply.kind !== 'services') throw new Error(`services were ordered, and ${reply.kind} came`);
    return reply.services;
  }

  async #inTurn(order: PlannerOrder): Promise<PlannerReply> {
    this.#orders++;
    try {
      const reply = this.#ordered.then(() => this.#onThread(order));
      this.#ordered = reply.catch(() => undefined);
      return await reply;
    } finally {
      this.#orders--;
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #onThread(order: PlannerOrder): Promise<PlannerReply> {
    const worker = this.#thread();
    const reply = await new Promise<PlannerReply>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      worker.postMessage(order);
    });
    if (reply.kind === 'failed') throw reply.error;
    return reply;
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./service-plan-worker.js', import.meta.url));
    this.#worker = worker;
    // a thread that has nothing to do keeps no process alive
    worker.unref();
    worker.on('message', (reply: PlannerReply) => this.#waiting?.resolve(reply));
    let reason: unknown;
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#waiting?.reject(new Error('the thread that plans publications ended', { cause: reason }));
    });
    return worker;
  }
}
