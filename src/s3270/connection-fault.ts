import type { HostSessionEnd } from '../../machines/host-session.machine.js';

/** Why no connection came about, in words. */
export function connectionFault(end: HostSessionEnd | undefined): string {
  switch (end?.kind) {
    case 'failed':
      return end.detail;
    case 'deviceRefused':
      return `The host refused the logical unit: ${end.detail}`;
    case 'silent':
      return 'The host did not agree on a mode in time';
    default:
      return 'The host closed the connection';
  }
}
