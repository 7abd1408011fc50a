import type { ReasonedOutcome } from '../lib/reasons.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';

/** Terminal parameters in the URL that starts a session (reference 1.2). */
export interface TerminalWishes {
  readonly rows: number | undefined;
  readonly columns: number | undefined;
  readonly codePage: string | undefined;
  readonly logmode: string | undefined;
  /** ForceLUNAME or TNLUNAME. */
  readonly deviceName: string | undefined;
}

export const noTerminalWishes: TerminalWishes = {
  rows: undefined,
  columns: undefined,
  codePage: undefined,
  logmode: undefined,
  deviceName: undefined,
};

export interface SessionHost {
  /** @returns a fault that names parameters which the host does not support */
  readonly optionsFor: (wishes: TerminalWishes) => ReasonedOutcome<HostSessionOptions>;
}
