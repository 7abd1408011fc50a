import { spawn } from 'node:child_process';
import type { Log } from '../../lib/log/log.js';

const MICROSECONDS = 1_000;
/** systemd ends a service that sends no message for a whole period. */
const MESSAGES_IN_A_PERIOD = 3;

/**
 * Tells systemd at intervals that this process works, if its unit has `WatchdogSec`. Without a watchdog for this process it does
 * nothing. `systemd-notify` sends the messages, as Node has no Unix datagram sockets. Source: sd_watchdog_enabled(3), sd_notify(3).
 */
export function tellSystemdWatchdog(log: Log): void {
  const { WATCHDOG_USEC: period, WATCHDOG_PID: pid, NOTIFY_SOCKET: socket } = process.env;
  const milliseconds = Number(period) / MICROSECONDS / MESSAGES_IN_A_PERIOD;
  if (!(milliseconds >= 1) || socket === undefined || (pid !== undefined && Number(pid) !== process.pid)) return;
  let isSending = false;
  let isFailing = false;
  const ended = (reason: string | undefined) => {
    isSending = false;
    if (reason !== undefined && !isFailing)
      log.error({ reason }, 'systemd is not told that this process works, and may end it');
    isFailing = reason !== undefined;
  };
  const send = () => {
    if (isSending) return;
    isSending = true;
    const sender = spawn('systemd-notify', ['WATCHDOG=1'], { stdio: 'ignore' });
    sender.once('error', ({ message }) => ended(message));
    sender.once('exit', (code, signal) =>
      ended(code === 0 ? undefined : `systemd-notify: ${signal ?? `exit code ${code}`}`),
    );
    sender.unref();
  };
  setInterval(send, milliseconds).unref();
  send();
}
