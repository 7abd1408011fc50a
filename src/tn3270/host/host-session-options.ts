import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { Detail } from '../../lib/locale.js';
import type { HostMetrics } from '../../lib/metrics.js';
import type { CodePage } from '../codepage/code-page.js';
import type { DataStreamFault } from '../datastream/data-stream-handler.js';
import type { EntryRules } from '../screen/screen-entry.js';
import type { TerminalModel } from '../screen/screen-size.js';
import type { ClientNegotiationOptions } from '../telnet/client-negotiation.js';
import type { Tn3270eFunction } from '../telnet/tn3270e-words.js';
import type { HostConnection, HostConnectionHandler } from './host-connection.js';
import type { HostTrace } from './host-trace.js';
import type { KeepAliveOptions } from './keep-alive.js';

export interface HostSessionOptions {
  readonly model: TerminalModel;
  readonly codePage: CodePage;
  readonly entryRules: EntryRules;
  /** Logical units to request, in this order, until the host accepts one. */
  readonly deviceNames: readonly string[];
  readonly tn3270e: boolean;
  /** Falls back to plain TN3270 if the host rejects all devices with TN3270E. */
  readonly fallsBack?: boolean | undefined;
  readonly functions: readonly Tn3270eFunction[];
  /** Variables that a host may read with NEW-ENVIRON. */
  readonly environment: ReadonlyMap<string, string>;
  /** Variables sent only if the host requests them by name. */
  readonly environmentByName?: ReadonlyMap<string, string> | undefined;
  readonly connect: (handler: HostConnectionHandler, signal: AbortSignal) => Promise<HostConnection>;
  /** Starts TLS if the host requests it with STARTTLS; undefined to reject the request. */
  readonly startTls: ((connection: HostConnection, signal: AbortSignal) => Promise<void>) | undefined;
  /** Ends the session, without sending any data, if the host does not start with STARTTLS. */
  readonly requiresStartTls?: boolean | undefined;
  readonly negotiationMilliseconds: number | undefined;
  /** Finds the reason if a host sends nothing on a plain connection. */
  readonly diagnoseSilence?: (() => Promise<Detail | undefined>) | undefined;
  readonly keepAlive: KeepAliveOptions | undefined;
  /** Starts as a line terminal, whatever the host sends first. */
  readonly isLineTerminal?: boolean | undefined;
  /**
   * Never waits for the host to close the connection. By default the session waits if the host has not answered yet.
   */
  readonly leavesAtOnce?: boolean | undefined;
  readonly trace: HostTrace | undefined;
  /** Size of a file transfer record in bytes; 0: transfer in CUT mode; undefined: the usual size of terminals. */
  readonly transferBufferBytes?: number | undefined;
  readonly metrics?: HostMetrics | undefined;
}

export const allFunctions: readonly Tn3270eFunction[] = ['bindImage', 'responses', 'sysReq', 'contentionResolution'];

export interface HostSessionListener {
  changed(): void;
  /** Called for a malformed record. The bytes come from the host: log them only in hexadecimal. */
  fault(fault: DataStreamFault, record: Uint8Array): void;
  ended(end: HostSessionEnd): void;
  /** Reason why the host sends nothing; undefined after it has sent something. */
  silent?(reason: Detail | undefined): void;
  /** Called at the end of the session, before the screen is cleared. */
  ending?(): void;
  /** Data for a line terminal, before it is displayed. */
  lineData?(bytes: Uint8Array): void;
}

export function wishesOf(options: HostSessionOptions): ClientNegotiationOptions {
  const { alternateSize, deviceType, terminalType } = options.model;
  return { ...options, ...alternateSize, deviceType, terminalType, startTls: options.startTls !== undefined };
}
