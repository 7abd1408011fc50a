import { parentPort } from 'node:worker_threads';
import { makePlan, type PlanOrder } from './service-plan.js';
import type { PlanReply } from './service-planner.js';

parentPort?.on('message', async (order: PlanOrder) => {
  let reply: PlanReply;
  try {
    reply = { kind: 'plan', plan: await makePlan(order) };
  } catch (error) {
    reply = { kind: 'failed', error };
  }
  parentPort?.postMessage(reply);
});
