import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { CodePage } from '../codepage/code-page.js';
import type { HostSessionOptions } from '../host/host-session-options.js';
import type { PrintFault } from '../print/print-fault.js';
import type { PrintedJob } from './print-job.js';

export interface PrinterSessionOptions
  extends Pick<
    HostSessionOptions,
    'connect' | 'startTls' | 'requiresStartTls' | 'tn3270e' | 'keepAlive' | 'negotiationMilliseconds'
  > {
  readonly codePage: CodePage;
  /** Names of logical units to ask for, the next where one is refused; none: the host chooses. */
  readonly deviceNames: readonly string[];
  /** The logical unit of a display, whose printer this is; then `deviceNames` are not asked for. */
  readonly associate: string | undefined;
  /** A job is over, too, where the host is silent for so long; undefined: only the host says so, where it speaks TN3270E. */
  readonly silenceMilliseconds: number | undefined;
}

export interface PrinterSessionListener {
  /** What the session is may be something else than before. */
  changed(): void;
  /** Whether another document can be taken; where not, the host is told that the printer is not ready. */
  readonly isReady: boolean;
  /** A job is over. @returns whether its document is kept; what is not kept is rejected where the host waits for an answer */
  printed(printed: PrintedJob, isComplete: boolean): Promise<boolean>;
  /** A record that could not be printed. */
  fault(fault: PrintFault): void;
  ended(end: HostSessionEnd): void;
}
