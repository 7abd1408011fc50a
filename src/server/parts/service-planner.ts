import type { withoutSources } from '../../config/load-services.js';
import { ServiceError } from '../../lib/errors.js';
import type { ThreadWork } from '../../lib/turns/thread-orders.js';
import { WorkThreads } from '../../lib/turns/work-threads.js';
import type { MadePlan, PlanOrder } from './service-plan.js';

const MOST_ORDERS = 20;
/** All orders share one client key, so that they run one after the other on one thread. */
const ADDRESS = 'services folder';

type ServedServices = ReturnType<typeof withoutSources>;

const module = new URL('./service-plan-worker.js', import.meta.url);
export const planMaking: ThreadWork<PlanOrder, MadePlan> = { name: 'plan of a publication', module };
export const folderLoading: ThreadWork<string, ServedServices> = { name: 'loading of services', module };

/** Reads services folders on a thread, one at a time: a folder near its limits takes seconds. */
export class ServicePlanner {
  #orders = 0;

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY. Errors of the plan are passed on. */
  async plan(plan: PlanOrder): Promise<MadePlan> {
    if (this.#orders >= MOST_ORDERS) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    return this.#counted(WorkThreads.ofOperator.run(planMaking, plan, { address: ADDRESS }));
  }

  /** Loads a folder. Never refused, because published services must be served. */
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
