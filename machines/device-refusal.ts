import { detailText, type Reason } from '../src/lib/locale.js';

/** A device that a host has refused to a terminal or a printer. */
export interface DeviceRefusal {
  /** As people call it: `logical unit LU1`, `the printer of LU1`. */
  readonly device: string;
  readonly reason: Reason;
}

/** All of them in one line, in the order in which they were asked for. */
export function deviceRefusalWords(refusals: readonly DeviceRefusal[]): string {
  return refusals.map(({ device, reason }) => `${device}: ${detailText(reason, 'en')}`).join('; ');
}
