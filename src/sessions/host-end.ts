import type { HostEndCause } from '../../machines/browser-session.machine.js';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';
import { asSentence } from '../lib/text/messages.js';

export function causeOf(end: HostSessionEnd): HostEndCause {
  const { kind } = end;
  if (kind === 'deviceRefused') return kind;
  if (kind === 'failed' && end.isOtherProtocol) return 'otherProtocol';
  return kind === 'failed' || kind === 'silent' ? 'failed' : 'ended';
}

export function wordsFor(end: HostSessionEnd): string {
  switch (end.kind) {
    case 'deviceRefused':
      // several devices may have been refused: reason for the last one
      return asSentence(end.refusals.at(-1)?.reason ?? 'the host gives no reason');
    case 'failed':
      return end.detail;
    case 'silent':
      return 'the host does not answer';
    default:
      return 'the host ended the session';
  }
}
