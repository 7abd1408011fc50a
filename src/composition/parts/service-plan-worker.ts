import { parentPort } from 'node:worker_threads';
import { loadServices, withoutSources } from '../../config/load-services.js';
import { makePlan } from './service-plan.js';
import type { PlannerOrder, PlannerReply } from './service-planner.js';

parentPort?.on('message', async (order: PlannerOrder) => {
  let reply: PlannerReply;
  try {
    reply =
      order.kind === 'plan'
        ? { kind: 'plan', plan: await makePlan(order.plan) }
        : { kind: 'services', services: withoutSources(await loadServices(order.folder)) };
  } catch (error) {
    reply = { kind: 'failed', error };
  }
  parentPort?.postMessage(reply);
});
