// Process with a pool that reports the memory of its sessions over IPC.
import { setTimeout as wait } from 'node:timers/promises';
import { HostedServices } from '../../test/services/hosted-services.js';
import { eventually } from '../../test/support/eventually.js';
import type { MemoryOfSession } from './measured-calls.js';

const IDLE_MILLISECONDS = 10_000;
const [port = 0, sessions = 0] = process.argv.slice(2).map(Number);

/** the first session loads code and tables that all share */
async function memoryWith(count: number): Promise<MemoryOfSession> {
  const hosted = await HostedServices.start({
    isListening: false,
    port,
    pool: { ready: count, most: count, sessionsPerUser: count },
  });
  await eventually(() => (hosted.pool.state.free === count ? true : undefined));
  await wait(IDLE_MILLISECONDS);
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  if (count === 1) await hosted.stop();
  return { resident: rss, inUse: heapUsed + external };
}

const before = await memoryWith(1);
const after = await memoryWith(sessions);
const kibOf = (kind: keyof MemoryOfSession) => (after[kind] - before[kind]) / sessions / 1_024;
const kib: MemoryOfSession = { resident: kibOf('resident'), inUse: kibOf('inUse') };
process.send?.(kib, () => process.exit(0));
