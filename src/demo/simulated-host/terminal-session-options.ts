import type { CodePage } from '../../tn3270/codepage/code-page.js';
import type { Tn3270eFunction } from '../../tn3270/telnet/tn3270e-words.js';
import type { Application, HostServices } from './application.js';
import type { DeviceAssignment } from './device-pool.js';
import type { TerminalLimits } from './terminal-limits.js';

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
