import type { HostEndCause } from '../../machines/browser-session.machine.js';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';

export function causeOf({ kind }: HostSessionEnd): HostEndCause {
  if (kind === 'deviceRefused') return kind;
  return kind === 'failed' || kind === 'silent' ? 'failed' : 'ended';
}

/** Why a host refuses a logical unit (RFC 2355, section 7.1.6), in words for the user. */
const deviceRefusals: Readonly<Record<string, string>> = {
  deviceInUse: 'It is in use.',
  invalidName: 'The host does not know its name.',
  invalidDeviceType: 'The host does not take this type of terminal.',
};

/** In words for the user. */
export function wordsFor(end: HostSessionEnd): string {
  switch (end.kind) {
    case 'deviceRefused':
      return deviceRefusals[end.detail] ?? 'The host refuses it.';
    case 'failed':
      return end.detail;
    case 'silent':
      return 'the host does not answer';
    default:
      return 'the host ended the session';
  }
}
