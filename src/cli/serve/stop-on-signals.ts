import type { Log } from '../../log.js';
import { exitCodes } from '../exit-codes.js';

/**
 * npm passes on the Ctrl-C that the terminal has already sent to the whole process group: one key press arrives as
 * two signals within a few milliseconds.
 */
const ONE_KEY_PRESS_MILLISECONDS = 500;

/**
 * Handles SIGTERM and SIGINT: the first stops the server and ends the process with 0, a second ends it at once.
 * A signal that comes before `begin` ends the process at once.
 */
export function stopOnSignals(log: Log, flush: () => void): { begin: (stop: () => Promise<void>) => void } {
  let stop: () => Promise<void> = async () => {};
  let firstAt: number | undefined;
  const end = (code: number) => {
    flush();
    process.exit(code);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt !== undefined) {
      if (now - firstAt > ONE_KEY_PRESS_MILLISECONDS) {
        log.warn({ signal }, 'second signal: stopping immediately');
        end(exitCodes.workFailed);
      }
      return;
    }
    firstAt = now;
    log.info({ signal }, 'stopping: requests in flight are finished; a second signal ends at once');
    stop().then(
      () => {
        log.info('stopped');
        end(exitCodes.fine);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        end(exitCodes.workFailed);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return {
    begin: (whenStopping) => {
      stop = whenStopping;
    },
  };
}
