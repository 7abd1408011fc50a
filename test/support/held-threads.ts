import type { ThreadWork } from '../../src/lib/turns/thread-orders.js';
import type { WorkThreads } from '../../src/lib/turns/work-threads.js';
import { eventually } from './eventually.js';

/** Blocks its thread until the first number of the memory is 1; sets the second one to 1 at the start. */
export const holding: ThreadWork<SharedArrayBuffer, void> = {
  name: 'holding',
  module: new URL('./held-threads-worker.js', import.meta.url),
};

export async function holdThreads(threads: WorkThreads): Promise<() => Promise<void>> {
  const held = ['192.0.2.1', '192.0.2.2'].map((address) => holdThread(threads, address));
  for (const { hasBegun } of held) await eventually(async () => (hasBegun() ? true : undefined));
  return async () => {
    for (const { letGo } of held) letGo();
    await Promise.all(held.map(({ end }) => end));
  };
}

export function holdThread(threads: WorkThreads, address: string) {
  const memory = new Int32Array(new SharedArrayBuffer(8));
  const letGo = () => {
    Atomics.store(memory, 0, 1);
    Atomics.notify(memory, 0);
  };
  const end = threads.run(holding, memory.buffer as SharedArrayBuffer, { address });
  return { hasBegun: () => Atomics.load(memory, 1) === 1, letGo, end };
}
