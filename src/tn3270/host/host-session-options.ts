import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { HostMeasures } from '../../lib/measures.js';
import type { CodePage } from '../codepage/code-page.js';
import type { DataStreamFault } from '../datastream/data-stream-handler.js';
import type { EntryRules } from '../screen/screen-entry.js';
import type { TerminalModel } from '../screen/screen-size.js';
import type { ClientNegotiation } from '../telnet/client-negotiation.js';
import type { Tn3270eFunction } from '../telnet/tn3270e-words.js';
import type { HostConnection, HostConnectionHandler } from './host-connection.js';
import type { HostTrace } from './host-trace.js';
import type { KeepAliveOptions } from './keep-alive.js';

export interface HostSessionOptions {
  readonly model: TerminalModel;
  readonly codePage: CodePage;
  readonly entryRules: EntryRules;
  /** Names of logical units to ask for, the next where one is refused. */
  readonly deviceNames: readonly string[];
  readonly tn3270e: boolean;
  /** Without TN3270E where the host refuses all devices by it. */
  readonly fallsBack?: boolean | undefined;
  readonly functions: readonly Tn3270eFunction[];
  /** What a host may ask for by NEW-ENVIRON. */
  readonly environment: ReadonlyMap<string, string>;
  /** And what it is told only where it names the variable. */
  readonly environmentByName?: ReadonlyMap<string, string> | undefined;
  /** Connects; the handler is told what comes. */
  readonly connect: (handler: HostConnectionHandler, signal: AbortSignal) => Promise<HostConnection>;
  /** TLS half-way, where the host asks for it; undefined: it is refused. */
  readonly startTls: ((connection: HostConnection, signal: AbortSignal) => Promise<void>) | undefined;
  /** A host that does not begin with STARTTLS is told nothing, and the session ends. */
  readonly requiresStartTls?: boolean | undefined;
  /** How long the host may take to agree on a mode; undefined: for ever. */
  readonly negotiationMilliseconds: number | undefined;
  /** Finds out why a host says nothing on a plain connection; undefined: nobody finds out. */
  readonly diagnoseSilence?: (() => Promise<string | undefined>) | undefined;
  /** Undefined: nothing is sent in silence. */
  readonly keepAlive: KeepAliveOptions | undefined;
  /** A line terminal from the beginning, whatever the host says first. */
  readonly isLineTerminal?: boolean | undefined;
  /** Its end never waits until the host closes as well; not given: it does where the host has not answered yet. */
  readonly leavesAtOnce?: boolean | undefined;
  readonly trace: HostTrace | undefined;
  /** Bytes of a record of a file transfer; 0: files go by screens (CUT), undefined: as many as terminals have. */
  readonly transferBufferBytes?: number | undefined;
  /** Told what the session does; undefined: nobody counts. */
  readonly measures?: HostMeasures | undefined;
}

export const allFunctions: readonly Tn3270eFunction[] = ['bindImage', 'responses', 'sysReq', 'contentionResolution'];

/** What a session tells its owner. */
export interface HostSessionListener {
  /** The screen, or what the session is, may look another way than before. */
  changed(): void;
  /** A record of the host that could not be carried out. The bytes come from the host: log them as hexadecimal. */
  fault(fault: DataStreamFault, record: Uint8Array): void;
  ended(end: HostSessionEnd): void;
  /** The host says nothing, and this is why; undefined: it has spoken after all. */
  silent?(reason: string | undefined): void;
  /** The session is over, and the screen yet as the host has left it. */
  ending?(): void;
  /** What a line terminal's host writes, before it is shown. */
  lineData?(bytes: Uint8Array): void;
}

/** What a session asks its host for. */
export function wishesOf({
  model: { alternateSize, deviceType, terminalType },
  startTls,
  ...options
}: HostSessionOptions): ConstructorParameters<typeof ClientNegotiation>[0] {
  const { deviceNames, tn3270e, fallsBack, functions, environment, environmentByName } = options;
  return {
    deviceType,
    terminalType,
    deviceNames,
    tn3270e,
    fallsBack,
    functions,
    environment,
    environmentByName,
    startTls: startTls !== undefined,
    ...alternateSize,
  };
}
