import type { NodePatience } from '../cluster/nodes/node-line.js';
import type { CryptDefinition } from '../crypto/crypt-definition.js';
import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { LogLevel } from '../lib/log/log.js';
import type { EntryPointDefinition } from '../lines/entry-point/entry-point.js';
import type { InboundLineDefinition } from '../lines/listener/line-definition.js';
import type { ReadConfiguration } from '../operation/configuration-operations.js';
import type { OutboundLineDefinition } from '../scenarios/outbound/outbound-line-definition.js';
import type { PoolDefinition } from '../services/pool-definition.js';
import type {
  AuditDocument,
  ClusterDocument,
  ConfigurationDocument,
  MacrosAutoRefresh,
  PrinterDocument,
  RemoteHostDocument,
  SecurityDocument,
  SimulatedHostDocument,
  StoreDocument,
} from './configuration-document.js';
import type { LoadedServices } from './load-services.js';

interface InternalLineDefinition {
  readonly host: string | undefined;
  readonly port: number;
  /** What other nodes connect to; undefined: the host and port that it listens on. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
  /** Absolute paths. */
  readonly tls: NonNullable<ClusterDocument['tls']>;
}

/** A checked configuration, every default filled in, every path absolute. */
export interface Configuration {
  readonly file: string;
  readonly read: ReadConfiguration;
  /** What codes of sessions and prefixes of paths begin with; undefined: there is only one server. */
  readonly node: string | undefined;
  /** What is expected of another one that has taken a request. */
  readonly nodePatience: NodePatience;
  /** The internal line, over which nodes pass requests on to each other; undefined: there are no other machines. */
  readonly internalLine: InternalLineDefinition | undefined;
  /** Where processes of this machine pass requests on to each other; undefined: there is only one. */
  readonly workerFolder: string | undefined;
  /** Folder of the state on disk. */
  readonly data: string;
  readonly tct: {
    readonly crypts: readonly CryptDefinition[];
    /** DEFUTF8: the canonical name of a known code page. */
    readonly defaultCodePage: string;
  };
  /** Template storage: name of a directory → folder. */
  readonly directories: ReadonlyMap<string, string>;
  /** Folder of the sources of presentation modules. */
  readonly scenarios: string | undefined;
  /** Folder of the services; undefined: not configured. */
  readonly servicesFolder: string | undefined;
  /** What the services folder holds; nothing where none is configured. */
  readonly services: Omit<LoadedServices, 'reports'> & {
    /** What the check had to say of its files. */
    readonly diagnostics: readonly SourceDiagnostic[];
  };
  readonly pools: readonly PoolDefinition[];
  /** Files with absolute paths. */
  readonly printers: ReadonlyMap<string, PrinterDocument>;
  /** Folder of the centralized macros; undefined: not configured. */
  readonly macros: string | undefined;
  readonly macrosAutoRefresh: MacrosAutoRefresh;
  /** The group whose members publish macros to their groups; undefined: administrators alone do. */
  readonly macroPublishers: string | undefined;
  readonly hosts: ReadonlyMap<string, SimulatedHostDocument | RemoteHostDocument>;
  readonly inboundLines: readonly InboundLineDefinition[];
  readonly outboundLines: readonly OutboundLineDefinition[];
  readonly entryPoints: readonly EntryPointDefinition[];
  /** Health and metrics; undefined: there is no such port. */
  readonly management:
    | { readonly host: string | undefined; readonly port: number; readonly stopDelaySeconds: number }
    | undefined;
  /** That serve on this machine. */
  readonly processes: number;
  /** How long a process that is drained waits for its sessions to end. */
  readonly drainMinutes: number;
  /** Where there are several processes: after which one that does not serve yet is killed. */
  readonly workerStartSeconds: number;
  /** Where there are several processes: after which one that does not answer is killed. */
  readonly workerSilenceSeconds: number;
  readonly demo: { readonly currencyService: { readonly host: string; readonly port: number } | undefined };
  readonly sessions: ConfigurationDocument['sessions'];
  readonly scenarioLimits: ConfigurationDocument['scenarioLimits'];
  readonly log: {
    readonly level: LogLevel;
    /** `auto`: readable on a terminal, JSON elsewhere. */
    readonly form: 'auto' | 'json' | 'readable';
  };
  /** Files with absolute paths. */
  readonly security: SecurityDocument;
  readonly audit: AuditDocument;
  /** Files with absolute paths; not there: files of the data folder, and memory. */
  readonly store?: StoreDocument;
  /** N of scrypt for passwords. No file sets it: it is for tests, which cannot pay for each what an attacker must. */
  readonly passwordCost?: number;
}
