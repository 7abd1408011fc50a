import { WORKER_CODE_VARIABLE } from '../../config/worker-code.js';
import { exitCodes } from '../../lib/exit-codes.js';
import type { Log } from '../../lib/log/log.js';

/**
 * npm passes on the Ctrl-C that the terminal has already sent to the whole process group: one key press arrives as
 * two signals within a few milliseconds.
 */
const ONE_KEY_PRESS_MILLISECONDS = 500;

export interface Stopping {
  /** What is done from now on; a signal that comes before ends the process at once. */
  begin(stop: () => Promise<void>): void;
  /** Whether the process is about to end. */
  isBegun(): boolean;
  /** As the first signal does. @param why for the log */
  stop(why: string): void;
}

/** Handles SIGTERM and SIGINT: the first stops the server and ends the process with 0, a second ends it at once. */
export function stopOnSignals(log: Log, flush: () => void): Stopping {
  let stop: () => Promise<void> = async () => {};
  let firstAt: number | undefined;
  const end = (code: number) => {
    flush();
    process.exit(code);
  };
  const begin = (details: object, words: string) => {
    firstAt = performance.now();
    log.info(details, words);
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
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      begin({ signal }, 'stopping: requests in flight are finished; a second signal ends at once');
    } else if (performance.now() - firstAt > ONE_KEY_PRESS_MILLISECONDS) {
      log.warn({ signal }, 'second signal: stopping immediately');
      end(exitCodes.workFailed);
    }
  };
  process.on('SIGTERM', onSignal);
  // workers take no notice of it (scripts/start-signals.cjs)
  if (process.env[WORKER_CODE_VARIABLE] === undefined) process.on('SIGINT', onSignal);
  return {
    begin: (whenStopping) => {
      stop = whenStopping;
    },
    isBegun: () => firstAt !== undefined,
    stop: (why) => {
      if (firstAt === undefined) begin({ why }, 'stopping: requests in flight are finished');
    },
  };
}
