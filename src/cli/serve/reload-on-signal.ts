import { closeSync, openSync } from 'node:fs';

/** Undefined: the server does not serve yet. */
let reload: (() => Promise<unknown>) | undefined;
let isTaken = false;
let isAsked = false;

/**
 * Has SIGHUP no longer end the process. One that comes before the server can reload its configuration is remembered. It also comes
 * where the terminal is closed that a server was started at: then it stops, as programs do that nobody sees any more.
 */
export function takeReloadSignals(): void {
  if (isTaken) return;
  isTaken = true;
  process.on('SIGHUP', () => {
    if (process.stdout.isTTY && !hasTerminal()) process.kill(process.pid, 'SIGTERM');
    else if (reload === undefined) isAsked = true;
    else void reload();
  });
}

/** Has SIGHUP reload the configuration, and does so now where it came during the start: the file may have been read before. */
export function reloadOnSignal(whenAsked: () => Promise<unknown>): void {
  reload = whenAsked;
  takeReloadSignals();
  if (isAsked) void reload();
  isAsked = false;
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
