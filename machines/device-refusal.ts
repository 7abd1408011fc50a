/** A device that a host has refused to a terminal or a printer. */
export interface DeviceRefusal {
  /** As people call it: `logical unit LU1`, `the printer of LU1`. */
  readonly device: string;
  /** A clause of its own: `it is in use`. */
  readonly reason: string;
}

/** All of them in one line, in the order in which they were asked for. */
export function deviceRefusalWords(refusals: readonly DeviceRefusal[]): string {
  return refusals.map(({ device, reason }) => `${device}: ${reason}`).join('; ');
}
