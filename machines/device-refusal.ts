export interface DeviceRefusal {
  /** Name for messages: `logical unit LU1`, `the printer of LU1`. */
  readonly device: string;
  /** A main clause: `it is in use`. */
  readonly reason: string;
}

export function deviceRefusalWords(refusals: readonly DeviceRefusal[]): string {
  return refusals.map(({ device, reason }) => `${device}: ${reason}`).join('; ');
}
