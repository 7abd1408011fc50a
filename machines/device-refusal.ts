import { detailText, type Reason } from '../src/lib/locale.js';

export interface DeviceRefusal {
  /** Name for messages: `logical unit LU1`, `the printer of LU1`. */
  readonly device: string;
  readonly reason: Reason;
}

/** In English, for logs and commands: `logical unit LU1: it is in use; logical unit LU2: …`. */
export function deviceRefusalWords(refusals: readonly DeviceRefusal[]): string {
  return refusals.map(({ device, reason }) => `${device}: ${asClause(detailText(reason, 'en'))}`).join('; ');
}

function asClause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;
}
