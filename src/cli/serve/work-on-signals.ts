import { closeSync, openSync } from 'node:fs';
import { WORKER_CODE_VARIABLE } from '../../config/worker-code.js';

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
