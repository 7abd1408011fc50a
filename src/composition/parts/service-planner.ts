import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import type { MadePlan, PlanOrder } from './service-plan.js';

/** Plans that are made or wait. */
const MOST_PLANS = 20;

/** What a thread says of the order that it was given. */
export type PlanReply =
  | { readonly kind: 'plan'; readonly plan: MadePlan }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Makes plans on a thread of its own, one at a time: a folder near its bounds takes seconds. The thread begins with the first of them. */
export class ServicePlanner {
  #plans = 0;
  #planned: Promise<unknown> = Promise.resolve();
  #worker: Worker | undefined;
  #waiting: { readonly resolve: (reply: PlanReply) => void; readonly reject: (error: unknown) => void } | undefined;

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY, and what the making of the plan does */
  async plan(order: PlanOrder): Promise<MadePlan> {
    if (this.#plans >= MOST_PLANS) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    this.#plans++;
    try {
      const plan = this.#planned.then(() => this.#onThread(order));
      this.#planned = plan.catch(() => undefined);
      return await plan;
    } finally {
      this.#plans--;
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #onThread(order: PlanOrder): Promise<MadePlan> {
    const worker = this.#thread();
    const reply = await new Promise<PlanReply>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      worker.postMessage(order);
    });
    if (reply.kind === 'failed') throw reply.error;
    return reply.plan;
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./service-plan-worker.js', import.meta.url));
    this.#worker = worker;
    // a thread that has nothing to do keeps no process alive
    worker.unref();
    worker.on('message', (reply: PlanReply) => this.#waiting?.resolve(reply));
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
