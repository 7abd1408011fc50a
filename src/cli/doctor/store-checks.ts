import type { Configuration } from '../../config/configuration.js';
import { openStore } from '../../config/open-store.js';
import { unfinishedCopy } from '../../config/unfinished-copy.js';
import { silentLog } from '../../lib/log/log.js';
import { type Finding, findingsOf } from './finding.js';
import { clockFinding } from './service-clock.js';

/** The database that servers share, as a server opens it; without one, whether the files are whole. */
export async function checkStore(configuration: Configuration): Promise<readonly Finding[]> {
  if (configuration.store === undefined) {
    const unfinished = await unfinishedCopy(configuration);
    return unfinished === undefined
      ? []
      : [findingsOf('data', configuration.data).fault(unfinished.fault, unfinished.advice)];
  }
  const { ok, fault } = findingsOf('PostgreSQL', 'store.postgresql');
  const advice =
    'look whether it runs, and at postgresql, password and ca of store; sallyport store migrate makes the tables';
  try {
    const shared = await openStore(configuration, silentLog);
    const ahead = shared === undefined ? 0 : shared.now() - Date.now();
    await shared?.close();
    return [
      ok('can be reached and written, and its tables are those of this version'),
      clockFinding('clock of PostgreSQL', 'store.postgresql', ahead),
    ];
  } catch (error) {
    return [fault((error as Error).message, advice)];
  }
}
