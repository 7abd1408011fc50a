import type { CodePage } from '../../tn3270/codepage/code-page.js';
import type { DeviceAssignment } from '../../tn3270/telnet/host-negotiation.js';
import type { Tn3270eFunction } from '../../tn3270/telnet/tn3270e-words.js';
import type { Application, HostServices } from './application.js';

/** Limits for terminals over TCP. Sessions in this process have other limits. */
export interface TerminalLimits {
  readonly terminals: number;
  readonly terminalsPerAddress: number;
  readonly agreeMilliseconds: number;
  readonly idleMilliseconds: number;
  /** Time for the terminal to close a connection that the host has ended. */
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
  readonly idleMilliseconds: number | undefined;
  readonly codePage: CodePage;
  readonly functions: readonly Tn3270eFunction[];
  readonly printerFunctions: readonly Tn3270eFunction[];
  readonly tn3270e: boolean;
  readonly applications: Readonly<Record<string, Application>>;
  readonly first: string;
  readonly services: HostServices;
  readonly assign: (name: string | undefined, isPrinter: boolean) => DeviceAssignment;
  readonly associate: (display: string) => DeviceAssignment;
}
