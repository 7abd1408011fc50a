import { closeSync, openSync } from 'node:fs';
import { WORKER_CODE_VARIABLE } from '../../config/worker-code.js';
import { exitCodes } from '../../lib/exit-codes.js';
import type { Log } from '../../lib/log/log.js';

/** npm forwards a Ctrl-C that the terminal has already sent to the process group: two signals within milliseconds. */
const ONE_KEY_PRESS_MILLISECONDS = 500;

export interface Stopping {
  /** A signal before this call ends the process immediately. */
  begin(stop: () => Promise<void>): void;
  isBegun(): boolean;
  /** @param why for the log */
  stop(why: string): void;
}

/** Handles SIGTERM and SIGINT: the first stops the server and ends the process with 0, a second ends it immediately. */
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
      begin({ signal }, 'stopping: requests in flight are finished; a second signal ends the server immediately');
    } else if (performance.now() - firstAt > ONE_KEY_PRESS_MILLISECONDS) {
      log.warn({ signal }, 'second signal: stopping immediately');
      end(exitCodes.workFailed);
    }
  };
  process.on('SIGTERM', onSignal);
  // workers ignore SIGINT (scripts/start-signals.cjs)
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

type WorkSignal = 'SIGHUP' | 'SIGUSR2';

/** Collects signals from process start (scripts/start-signals.cjs) until the program handles them. */
export interface StartSignals {
  readonly signals: readonly WorkSignal[];
  /** @returns signals received so far; later ones are not collected */
  handOver(): readonly WorkSignal[];
}

const works = new Map<WorkSignal, () => unknown>();
const asked = new Set<WorkSignal>();

/** Prevents these signals from ending the process. They take effect when the server serves. */
export function takeSignals({ signals, handOver }: StartSignals): void {
  for (const signal of signals) process.on(signal, () => take(signal));
  for (const signal of handOver()) take(signal);
}

/** Calls `work` immediately if the signal arrived during the start, after the configuration may have been read. */
export function workOnSignal(signal: WorkSignal, work: () => unknown): void {
  works.set(signal, work);
  if (asked.delete(signal)) void work();
}

/** SIGHUP is also sent when the terminal is closed: the server then stops. Workers wait for their supervisor. */
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
