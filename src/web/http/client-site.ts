import type { Actor } from '../../access/audit/audit-entry.js';
import type { AuditExports } from '../../access/audit/audit-exports.js';
import type { AuditRecord } from '../../access/audit/audit-record.js';
import type { TokenAdministration } from '../../access/tokens/token-administration.js';
import type { SettingsStore } from '../../access/users/settings-store.js';
import type { UserAdministration } from '../../access/users/user-administration.js';
import type { UserStore } from '../../access/users/user-store.js';
import type { OtherNodes } from '../../cluster/nodes/other-nodes.js';
import type { LastLogLines } from '../../lib/log/last-log-lines.js';
import type { Log } from '../../lib/log/log.js';
import type { TraceTaps } from '../../lib/log/trace-taps.js';
import type { Measures } from '../../lib/measures.js';
import type { Orderer } from '../../lib/turns/work-threads.js';
import type { EntryPoint } from '../../lines/entry-point/entry-point.js';
import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import type { MacroService } from '../../macros/macro-service.js';
import type { ConfigurationOperations } from '../../operation/configuration-operations.js';
import type { LineOperations } from '../../operation/line-operations.js';
import type { LoadedPrograms } from '../../operation/loaded-programs.js';
import type { NodeList } from '../../operation/node-load.js';
import type { PoolOperations } from '../../operation/pool-operations.js';
import type { ServerFigures } from '../../operation/server-figures.js';
import type { ServerOperations, ServerOverview } from '../../operation/server-operations.js';
import type { ServiceTrials } from '../../operation/service-trials.js';
import type { SessionOperations } from '../../operation/session-operations.js';
import type { TraceOperations } from '../../operation/trace-operations.js';
import type { SessionPrinter } from '../../printing/session-printer.js';
import type { ScenarioService } from '../../scenarios/scenario-service.js';
import type { IdempotencyStore } from '../../services/idempotency-store.js';
import type { ServiceCalls } from '../../services/service-calls.js';
import type { StepsReading } from '../../services/service-definition.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { SessionHost } from '../../sessions/session-host.js';
import type { SessionService } from '../../sessions/session-service.js';
import type { FindFile, FoundFile, FoundSoon } from '../../templates/compiled-template.js';
import type { ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import type { ConsoleStreams } from '../console/console-streams.js';
import type { SiteRecordings } from '../recordings/recording-ports.js';
import type { OwnSessions } from '../services/own-sessions.js';
import type { SiteSecurity } from '../sign-on/site-security.js';

/** Runs scenarios, and knows which there are. */
type SiteScenarios = Pick<ScenarioService, 'has' | 'newVariables' | 'run'>;

/** Centralized macros of a line. */
export interface SiteMacros {
  readonly service: MacroService;
  /** When terminals read them by themselves (reference 5.3). */
  readonly autoRefresh: string;
  /** The group whose members publish to their groups; undefined: administrators alone do. */
  readonly publishers: string | undefined;
}

/** What operators do with the running server. */
export interface PortalOperations {
  readonly configuration: ConfigurationOperations;
  readonly lines: LineOperations;
  readonly figures: ServerFigures;
  readonly pools: PoolOperations;
  readonly nodes: NodeList;
  readonly overview: ServerOverview;
  readonly programs: LoadedPrograms;
  readonly trials: ServiceTrials;
  readonly sessions: SessionOperations;
  readonly server: ServerOperations;
  readonly traces: TraceOperations;
  readonly exports: AuditExports;
  readonly logLines: LastLogLines;
  /** Pages that show what goes on. */
  readonly streams: ConsoleStreams;
}

/** What the portal shows and changes. */
export interface Portal extends PortalOperations {
  /** Users and groups that can be changed here. */
  readonly users: UserStore;
  readonly administration: UserAdministration;
  readonly tokens: TokenAdministration;
  readonly audit: AuditRecord;
  /** Whether a directory server has users besides. */
  readonly hasDirectoryServer: boolean;
}

/** Services over HTTP. */
export interface SiteServices {
  readonly calls: ServiceCalls;
  readonly idempotency: IdempotencyStore;
  readonly ownSessions: OwnSessions;
  /** That steps may name. */
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly steps: {
    /**
     * @param bytes of the JSON that the document was read from
     * @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY; what the signal was aborted with
     */
    read(document: unknown, bytes: number, orderer: Orderer): Promise<StepsReading>;
  };
}

/** Where a line listens. */
export interface LineAddress {
  /** Undefined: at every address of the machine. */
  readonly host: string | undefined;
  readonly port: number;
}

/** Where operators trace the lines. */
export interface SiteTracing {
  /** By the name of the line. */
  readonly taps: TraceTaps;
  readonly isPortal: boolean;
  /** Names of parameters that services keep secret, in lower case. */
  readonly secretMembers: () => ReadonlySet<string>;
}

/** The printers of hosts. */
export interface SitePrinters {
  /**
   * What a session is shown of a printer. One of its own display is connected first; it ends with the session.
   * @param name of the configuration
   * @returns undefined: it has no documents for sessions
   */
  readonly openFor: (name: string, session: BrowserSession) => SessionPrinter | undefined;
  /**
   * Puts on record who opens a document, before it is shown.
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE
   */
  readonly noteOpened: (actor: Actor, name: string, document: number) => Promise<void>;
}

/** What a client line serves, and with what. */
export interface ClientSite {
  readonly line: InboundLineDefinition;
  readonly entryPoint: EntryPoint;
  /** Of the product. */
  readonly version: string;
  /** `host:port` of the embedded currency service; undefined: it does not run. */
  readonly demoCurrencyService: string | undefined;
  /** Where a line of this server listens, by its internal name. */
  readonly addressOfLine: (line: string) => LineAddress | undefined;
  readonly log: Log;
  readonly measures: Measures;
  readonly tracing: SiteTracing;
  readonly findPage: FindFile;
  /** Pages of the product, for those that the directory of an entry point does not have. */
  readonly findShippedPage: (name: string) => FoundSoon;
  readonly scenarios: SiteScenarios;
  readonly sessions: SessionService;
  /** Other servers of the cluster; undefined: there are none. */
  readonly nodes: Pick<OtherNodes, 'ask' | 'pass' | 'upgrade' | 'anyForNewSession' | 'onThisMachine'> | undefined;
  /** That sessions can be had with, by name. */
  readonly hosts: ReadonlyMap<string, SessionHost>;
  /** Users; undefined: nobody can sign on here. */
  readonly security: SiteSecurity | undefined;
  /** Undefined: the line has no centralized macros. */
  readonly macros: SiteMacros | undefined;
  /** How users have the terminal. */
  readonly settings: SettingsStore | undefined;
  /** Services that are made of recordings, and their drafts; undefined: nobody makes any here. */
  readonly recordings: SiteRecordings | undefined;
  /** Of a portal line. */
  readonly portal: Portal | undefined;
  readonly printers: SitePrinters;
  /** Of what clients do with hosts. */
  readonly audit: Pick<AuditRecord, 'record'>;
  /** Undefined: the entry point of the line has no services over HTTP. */
  readonly services: SiteServices | undefined;
  /** The code page of `SET-OUTPUT-ENCODING-UTF-8 ""` (DEFUTF8). */
  readonly defaultCodePage: string;
}

/** The page of `/`: it has the name of the entry point. */
export function defaultPageName({ entryPoint }: ClientSite): string {
  return `${entryPoint.definition.name}.HTML`;
}

/** A page of the product: the site's own where the directory of its entry point has one of that name, or else the shipped one. */
export async function findProductPage(
  { entryPoint, findPage, findShippedPage }: ClientSite,
  name: string,
): Promise<FoundFile | undefined> {
  return (await findPage(entryPoint.definition.directory, name)) ?? (await findShippedPage(name));
}
