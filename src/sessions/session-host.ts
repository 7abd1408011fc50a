import type { ReadOutcome } from '../lib/read-outcome.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';

/** What the URL that begins a session may say of its terminal (reference 1.2). */
export interface TerminalWishes {
  readonly rows: number | undefined;
  readonly columns: number | undefined;
  readonly codePage: string | undefined;
  readonly logmode: string | undefined;
  /** ForceLUNAME or TNLUNAME. */
  readonly deviceName: string | undefined;
}

/** Nobody wishes anything: what the configuration says of the host counts. */
export const noTerminalWishes: TerminalWishes = {
  rows: undefined,
  columns: undefined,
  codePage: undefined,
  logmode: undefined,
  deviceName: undefined,
};

/** A host that sessions can be had with. */
export interface SessionHost {
  /**
   * How a session with it is to be made.
   * @returns in words what of the wishes cannot be
   */
  readonly optionsFor: (wishes: TerminalWishes) => ReadOutcome<HostSessionOptions>;
}
