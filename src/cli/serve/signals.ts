import { closeSync, openSync } from 'node:fs';
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

/** SIGHUP: the configuration is read again. SIGUSR2: workers are restarted. */
type WorkSignal = 'SIGHUP' | 'SIGUSR2';

/** Who hears the signals from the beginning of the start on (scripts/start-signals.cjs), until the program does. */
export interface StartSignals {
  readonly signals: readonly WorkSignal[];
  /** @returns those that came; from then on it hears none */
  handOver(): readonly WorkSignal[];
}

const works = new Map<WorkSignal, () => unknown>();
/** Came before their work could be done. */
const asked = new Set<WorkSignal>();

/** Has these signals end no process any more. What they ask for is done as soon as the server serves. */
export function takeSignals({ signals, handOver }: StartSignals): void {
  for (const signal of signals) process.on(signal, () => take(signal));
  for (const signal of handOver()) take(signal);
}

/** Does so now, too, where the signal came during the start: the configuration may have been read before. */
export function workOnSignal(signal: WorkSignal, work: () => unknown): void {
  works.set(signal, work);
  if (asked.delete(signal)) void work();
}

/**
 * SIGHUP also comes where the terminal is closed that a server was started at: then it stops, as programs do that nobody sees any more;
 * a worker when its supervisor says so.
 */
function take(signal: WorkSignal): void {
  const work = works.get(signal);
  if (signal === 'SIGHUP' && process.stdout.isTTY && !hasTerminal()) {
    if (process.env[WORKER_CODE_VARIABLE] === undefined) process.kill(process.pid, 'SIGTERM');
  } else if (work === undefined) asked.add(signal);
  else void work();
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
