import { detailText, type Reason } from '../src/lib/locale.js';

export interface DeviceRefusal {
  /** Name for messages: `logical unit LU1`, `the printer of LU1`. */
  readonly device: string;
  readonly reason: Reason;
}

export function deviceRefusalWords(refusals: readonly DeviceRefusal[]): string {
  return refusals.map(({ device, reason }) => `${device}: ${detailText(reason, 'en')}`).join('; ');
}
