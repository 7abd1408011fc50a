import { deviceRefusalWords } from '../../../machines/device-refusal.js';
import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import { detailText } from '../../lib/locale.js';

export function hostEndDetail(end: HostSessionEnd): string | undefined {
  switch (end.kind) {
    case 'deviceRefused':
      return deviceRefusalWords(end.refusals);
    case 'failed':
      return detailText(end.detail, 'en');
    default:
      return undefined;
  }
}

export function hostEndWords(end: HostSessionEnd): string {
  switch (end.kind) {
    case 'stopped':
      return 'the session was stopped';
    case 'hostEnded':
      return 'the host ended the session';
    case 'silent':
      return 'the host did not complete the negotiation in time';
    case 'deviceRefused':
      return `the host refused ${deviceRefusalWords(end.refusals)}`;
    case 'failed':
      return detailText(end.detail, 'en');
  }
}
