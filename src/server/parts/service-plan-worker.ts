import { loadServices, withoutSources } from '../../config/load-services.js';
import { answerOrders } from '../../lib/turns/thread-orders.js';
import { makePlan } from './service-plan.js';
import { folderLoading, planMaking } from './service-planner.js';

answerOrders(planMaking, makePlan);
answerOrders(folderLoading, async (folder) => withoutSources(await loadServices(folder)));
