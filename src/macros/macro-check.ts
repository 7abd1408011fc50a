import type { ThreadWork } from '../lib/turns/thread-orders.js';
import { WorkThreads } from '../lib/turns/work-threads.js';
import { readMacroSet } from './macro-reading.js';

/** Larger files are checked in a thread; the largest take 80 ms. */
const LARGEST_CHECKED_HERE_BYTES = 65_536;

export const macroCheck: ThreadWork<Uint8Array, void> = {
  name: 'macro check',
  module: new URL('./macro-check-worker.js', import.meta.url),
};

/**
 * @param directory counts as the client for the limits of concurrent checks
 * @throws ServiceError as `readMacroSet` does, SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY
 */
export async function checkMacroFile(bytes: Buffer, directory: string): Promise<void> {
  if (bytes.length <= LARGEST_CHECKED_HERE_BYTES) readMacroSet(bytes);
  else await WorkThreads.ofUsers.run(macroCheck, bytes, { address: `macros ${directory}` });
}
