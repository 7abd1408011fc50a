// A process with a pool: what its sessions add to it, told over IPC.
import { setTimeout as wait } from 'node:timers/promises';
import { HostedServices } from '../../test/services/hosted-services.js';
import { eventually } from '../../test/support/eventually.js';

const IDLE_MILLISECONDS = 10_000;
const [port = 0, sessions = 0] = process.argv.slice(2).map(Number);

/** The first session brings code and tables that all share. */
async function residentWith(count: number): Promise<number> {
  const hosted = await HostedServices.start({
    isListening: false,
    port,
    pool: { ready: count, most: count, sessionsPerUser: count },
  });
  await eventually(() => (hosted.pool.state.free === count ? true : undefined));
  await wait(IDLE_MILLISECONDS);
  globalThis.gc?.();
  globalThis.gc?.();
  const resident = process.memoryUsage.rss();
  if (count === 1) await hosted.stop();
  return resident;
}

const before = await residentWith(1);
process.send?.(((await residentWith(sessions)) - before) / sessions / 1_024, () => process.exit(0));
