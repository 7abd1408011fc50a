import type { HostEndCause } from '../../machines/browser-session.machine.js';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';
import type { Detail } from '../lib/locale.js';

export function causeOf(end: HostSessionEnd): HostEndCause {
  const { kind } = end;
  if (kind === 'deviceRefused') return kind;
  if (kind === 'failed' && end.isOtherProtocol) return 'otherProtocol';
  return kind === 'failed' || kind === 'silent' ? 'failed' : 'ended';
}

/** For the user. */
export function detailOf(end: HostSessionEnd): Detail {
  switch (end.kind) {
    case 'deviceRefused':
      // several devices may have been refused: reason for the last one
      return end.refusals.at(-1)?.reason ?? { code: 'device.unknownError' };
    case 'failed':
      return end.detail;
    case 'silent':
      return { code: 'end.hostSilent' };
    default:
      return { code: 'end.hostEnded' };
  }
}
