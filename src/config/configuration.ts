import type { NodePatience } from '../cluster/nodes/node-line.js';
import type { CryptDefinition } from '../crypto/crypt-definition.js';
import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { EntryPointDefinition } from '../lines/entry-point/entry-point.js';
import type { InboundLineDefinition } from '../lines/listener/line-definition.js';
import type { ReadConfiguration } from '../operation/configuration-operations.js';
import type { OutboundLineDefinition } from '../scenarios/outbound/outbound-line-definition.js';
import type { PoolDefinition } from '../services/pool-state.js';
import type {
  AuditDocument,
  ClusterDocument,
  ConfigurationDocument,
  MacrosAutoRefresh,
  PrinterDocument,
  RemoteHostDocument,
  SecuritySettings,
  SimulatedHostDocument,
  StoreDocument,
} from './configuration-document.js';
import type { LoadedServices } from './load-services.js';

interface InternalLineDefinition {
  readonly host: string | undefined;
  readonly port: number;
  /** Address for other nodes; undefined if it is the host and port of the listener. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
  readonly tls: NonNullable<ClusterDocument['tls']>;
}

/** A checked configuration with defaults filled in; all paths are absolute. */
export interface Configuration {
  readonly file: string;
  readonly read: ReadConfiguration;
  /** Code at the start of session codes and path prefixes; undefined for a single server. */
  readonly node: string | undefined;
  readonly nodePatience: NodePatience;
  /** Undefined if all nodes are on this machine. */
  readonly internalLine: InternalLineDefinition | undefined;
  /** Folder of the sockets between the processes of this machine; undefined for a single process. */
  readonly workerFolder: string | undefined;
  readonly data: string;
  readonly tct: {
    readonly crypts: readonly CryptDefinition[];
    /** DEFUTF8 under the canonical name of the code page. */
    readonly defaultCodePage: string;
  };
  readonly directories: ReadonlyMap<string, string>;
  readonly scenarios: string | undefined;
  readonly servicesFolder: string | undefined;
  /** Empty if no services folder is configured. */
  readonly services: Omit<LoadedServices, 'reports'> & {
    readonly diagnostics: readonly SourceDiagnostic[];
  };
  readonly pools: readonly PoolDefinition[];
  readonly printers: ReadonlyMap<string, PrinterDocument>;
  readonly macros: string | undefined;
  readonly macrosAutoRefresh: MacrosAutoRefresh;
  /** Group whose members may publish macros to their groups; undefined if only administrators may. */
  readonly macroPublishers: string | undefined;
  readonly hosts: ReadonlyMap<string, SimulatedHostDocument | RemoteHostDocument>;
  readonly inboundLines: readonly InboundLineDefinition[];
  readonly outboundLines: readonly OutboundLineDefinition[];
  readonly entryPoints: readonly EntryPointDefinition[];
  readonly management:
    | { readonly host: string | undefined; readonly port: number; readonly stopDelaySeconds: number }
    | undefined;
  readonly processes: number;
  readonly drainMinutes: number;
  /** With several processes: a process that is not ready after this time is killed. */
  readonly workerStartSeconds: number;
  /** With several processes: a process that does not answer for this time is killed. */
  readonly workerSilenceSeconds: number;
  readonly demo: { readonly currencyService: { readonly host: string; readonly port: number } | undefined };
  readonly sessions: ConfigurationDocument['sessions'];
  readonly scenarioLimits: ConfigurationDocument['scenarioLimits'];
  readonly log: ConfigurationDocument['log'];
  readonly security: SecuritySettings;
  readonly audit: AuditDocument;
  /** If missing, the server uses files of the data folder, and memory. */
  readonly store?: StoreDocument;
  /** scrypt parameter N for passwords. No file sets it: tests use a smaller N to save time. */
  readonly passwordCost?: number;
}
