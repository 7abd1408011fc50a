import { closeSync, openSync } from 'node:fs';

/**
 * Has SIGHUP reload the configuration. It also comes where the terminal is closed that a server was started at: then it stops,
 * as programs do that nobody sees any more.
 */
export function reloadOnSignal(reload: () => Promise<unknown>): void {
  process.on('SIGHUP', () => {
    if (process.stdout.isTTY && !hasTerminal()) process.kill(process.pid, 'SIGTERM');
    else void reload();
  });
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
