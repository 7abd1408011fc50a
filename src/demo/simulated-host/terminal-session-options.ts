import type { CodePage } from '../../tn3270/codepage/code-page.js';
import type { Tn3270eFunction } from '../../tn3270/telnet/tn3270e-words.js';
import type { Application, HostServices } from './application.js';
import type { DeviceAssignment } from './device-pool.js';

/** What terminals of a port may take of the simulated host. Sessions within this process are bounded where they begin. */
export interface TerminalLimits {
  readonly terminals: number;
  readonly terminalsPerAddress: number;
  /** To agree on TN3270E or TN3270, whatever is said meanwhile. */
  readonly agreeMilliseconds: number;
  /** Without a key. */
  readonly idleMilliseconds: number;
  /** For the terminal to end a connection that the host has ended. */
  readonly endMilliseconds: number;
}

export const terminalLimits: TerminalLimits = {
  terminals: 10_000,
  terminalsPerAddress: 1_000,
  agreeMilliseconds: 30_000,
  idleMilliseconds: 30 * 60_000,
  endMilliseconds: 5_000,
};

export interface TerminalSessionOptions extends Pick<TerminalLimits, 'agreeMilliseconds' | 'endMilliseconds'> {
  /** Without a key; undefined: for ever. */
  readonly idleMilliseconds: number | undefined;
  readonly codePage: CodePage;
  readonly functions: readonly Tn3270eFunction[];
  readonly printerFunctions: readonly Tn3270eFunction[];
  readonly tn3270e: boolean;
  readonly applications: Readonly<Record<string, Application>>;
  readonly first: string;
  readonly services: HostServices;
  /** Gives the terminal a device, in place of the one that it may have. */
  readonly assign: (name: string | undefined, isPrinter: boolean) => DeviceAssignment;
  /** The same for a printer of a display. */
  readonly associate: (display: string) => DeviceAssignment;
}
