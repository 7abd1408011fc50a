import type { Actor } from '../../access/audit/audit-entry.js';
import type { AuditExports } from '../../access/audit/audit-exports.js';
import type { AuditTrail } from '../../access/audit/audit-trail.js';
import type { TokenAdministration } from '../../access/tokens/token-administration.js';
import type { EditableUserStore } from '../../access/users/editable-user-store.js';
import type { SettingsStore } from '../../access/users/settings-store.js';
import type { UserAdministration } from '../../access/users/user-administration.js';
import type { OtherNodes } from '../../cluster/nodes/other-nodes.js';
import type { LastLogLines } from '../../lib/log/last-log-lines.js';
import type { Log } from '../../lib/log/log.js';
import type { TraceSinks } from '../../lib/log/trace-sinks.js';
import type { Metrics } from '../../lib/metrics.js';
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
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { SessionHost } from '../../sessions/session-host.js';
import type { FindFile, FoundFile, FoundSoon } from '../../templates/compiled-template.js';
import type { ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import type { ConsoleStreams } from '../console/console-streams.js';
import type { SiteRecordings } from '../recordings/recording-ports.js';
import type { OwnSessions } from '../services/own-sessions.js';
import type { SiteSecurity } from '../sign-on/site-security.js';

type SiteScenarios = Pick<ScenarioService, 'has' | 'newVariables' | 'run'>;

export interface SiteMacros {
  readonly service: MacroService;
  /** When terminals reload the macros (reference 5.3). */
  readonly autoRefresh: string;
  /** Group whose members may publish macros to their groups; undefined if only administrators may. */
  readonly publishers: string | undefined;
}

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
  readonly streams: ConsoleStreams;
}

export interface Portal extends PortalOperations {
  /** Users and groups that this server can change. */
  readonly users: EditableUserStore;
  readonly administration: UserAdministration;
  readonly tokens: TokenAdministration;
  readonly audit: AuditTrail;
  /** True if a directory server provides further users. */
  readonly hasDirectoryServer: boolean;
}

export interface SiteServices {
  readonly calls: ServiceCalls;
  readonly idempotency: IdempotencyStore;
  readonly ownSessions: OwnSessions;
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly steps: {
    /**
     * @param bytes length of the document's JSON
     * @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY; the abort reason of the signal
     */
    read(document: unknown, bytes: number, orderer: Orderer): Promise<StepsReading>;
  };
}

export interface LineAddress {
  /** Undefined for all addresses of the machine. */
  readonly host: string | undefined;
  readonly port: number;
}

export interface SiteTracing {
  readonly sinks: TraceSinks;
  readonly isPortal: boolean;
  /** Names of secret service parameters, in lower case. */
  readonly secretMembers: () => ReadonlySet<string>;
}

export interface SitePrinters {
  /**
   * Opens a printer for a session. A printer of the session's display is connected first and ends with the session.
   * @param name name in the configuration
   * @returns undefined if the printer has no documents for sessions
   */
  readonly openFor: (name: string, session: BrowserSession) => SessionPrinter | undefined;
  /**
   * Writes the audit entry before a document is shown.
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE
   */
  readonly noteOpened: (actor: Actor, name: string, document: number) => Promise<void>;
}

export interface ClientSite {
  readonly line: InboundLineDefinition;
  readonly entryPoint: EntryPoint;
  readonly version: string;
  /** `host:port` of the embedded currency service; undefined if it is not running. */
  readonly demoCurrencyService: string | undefined;
  readonly addressOfLine: (line: string) => LineAddress | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing: SiteTracing;
  readonly findPage: FindFile;
  readonly findShippedPage: (name: string) => FoundSoon;
  readonly scenarios: SiteScenarios;
  readonly sessions: BrowserSessions;
  readonly nodes: Pick<OtherNodes, 'ask' | 'pass' | 'upgrade' | 'anyForNewSession' | 'onThisMachine'> | undefined;
  readonly hosts: ReadonlyMap<string, SessionHost>;
  readonly security: SiteSecurity | undefined;
  readonly macros: SiteMacros | undefined;
  readonly settings: SettingsStore | undefined;
  readonly recordings: SiteRecordings | undefined;
  readonly portal: Portal | undefined;
  readonly printers: SitePrinters;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly services: SiteServices | undefined;
  /** Code page of `SET-OUTPUT-ENCODING-UTF-8 ""` (DEFUTF8). */
  readonly defaultCodePage: string;
}

export function defaultPageName({ entryPoint }: ClientSite): string {
  return `${entryPoint.definition.name}.HTML`;
}

/** Prefers the entry point's own page. */
export async function findProductPage(
  { entryPoint, findPage, findShippedPage }: ClientSite,
  name: string,
): Promise<FoundFile | undefined> {
  return (await findPage(entryPoint.definition.directory, name)) ?? (await findShippedPage(name));
}
