import type { withoutSources } from '../../config/load-services.js';
import { ServiceError } from '../../lib/errors.js';
import type { ThreadWork } from '../../lib/turns/thread-orders.js';
import { WorkThreads } from '../../lib/turns/work-threads.js';
import type { MadePlan, PlanOrder } from './service-plan.js';

/** Orders that are carried out or wait. */
const MOST_ORDERS = 20;
/** All orders count as those of one client: one thread does them one after the other. */
const ADDRESS = 'services folder';

type ServedServices = ReturnType<typeof withoutSources>;

const module = new URL('./service-plan-worker.js', import.meta.url);
export const planMaking: ThreadWork<PlanOrder, MadePlan> = { name: 'plan of a publication', module };
export const folderLoading: ThreadWork<string, ServedServices> = { name: 'loading of services', module };

/** Reads services folders on a thread, one order at a time: one near its bounds takes seconds. */
export class ServicePlanner {
  #orders = 0;

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY, and what the making of the plan does */
  async plan(plan: PlanOrder): Promise<MadePlan> {
    if (this.#orders >= MOST_ORDERS) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    return this.#counted(WorkThreads.ofOperator.run(planMaking, plan, { address: ADDRESS }));
  }

  /** What a folder holds now; refused never, as what has been published is to be served. */
  async load(folder: string): Promise<ServedServices> {
    return this.#counted(WorkThreads.ofOperator.run(folderLoading, folder, { address: ADDRESS }));
  }

  async #counted<Result>(result: Promise<Result>): Promise<Result> {
    this.#orders++;
    try {
      return await result;
    } finally {
      this.#orders--;
    }
  }
}
