import type { InboundLimits, LineAnswers } from '../lines/listener/line-definition.js';
import type { PrintForm } from '../printing/pdf-document.js';
import type { SettingName } from '../terminal/settings/terminal-settings.js';

/**
 * The configuration file after it passed the schema: the shape of sallyport.schema.json with its defaults filled in.
 */
export interface ConfigurationDocument {
  readonly data: string;
  readonly tct: Readonly<Record<string, string | null>> & { readonly DEFUTF8: string };
  readonly security: SecurityDocument;
  readonly audit: AuditDocument;
  readonly store?: StoreDocument;
  readonly cluster?: ClusterDocument;
  readonly processes: number | 'auto';
  readonly drainMinutes: number;
  readonly workerStartSeconds: number;
  readonly workerSilenceSeconds: number;
  readonly directories: Readonly<Record<string, string>>;
  readonly scenarios?: string;
  readonly services?: string;
  readonly pools: Readonly<Record<string, PoolDocument>>;
  readonly printers: Readonly<Record<string, PrinterDocument>>;
  readonly macros?: string;
  readonly macrosAutoRefresh: MacrosAutoRefresh;
  readonly macroPublishers?: string;
  readonly hosts: Readonly<Record<string, SimulatedHostDocument | RemoteHostDocument>>;
  readonly lines: Readonly<Record<string, InboundLineDocument | OutboundLineDocument>>;
  readonly entryPoints: Readonly<Record<string, EntryPointDocument>>;
  readonly sessions: { readonly limit: number; readonly keysReady: number; readonly keysWaiting: number };
  readonly scenarioLimits: {
    readonly steps: number;
    readonly seconds: number;
    readonly variableBytes: number;
    readonly values: number;
    readonly variables: number;
  };
  readonly log: {
    readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
    readonly form: 'auto' | 'json' | 'readable';
  };
  readonly management?: { readonly listen: string; readonly stopDelaySeconds: number };
  readonly demo: { readonly currencyService?: string };
}

/** Names are checked by the schema, values are not. */
export interface TerminalSettingsRuleDocument {
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly locked?: readonly SettingName[];
}

export interface PoolDocument {
  readonly host: string;
  readonly ready: number;
  readonly most: number;
  readonly users: readonly { readonly user: string; readonly password: PoolPasswordDocument }[];
  readonly sessionsPerUser: number;
  readonly signOn: string;
  readonly signOff?: string;
  readonly home: string;
  readonly returnHome: readonly string[];
  readonly checkoutSeconds: number;
  readonly waitSeconds: number;
  readonly idleMinutes: number;
  readonly keepAliveSeconds: number;
}

export interface PrinterDocument {
  readonly host: string;
  readonly luName?: string;
  readonly associate: boolean;
  readonly groups: readonly string[];
  readonly silenceSeconds: number;
  readonly form: PrintForm;
  readonly output?: {
    readonly folder: string;
    readonly as: readonly ('pdf' | 'text' | 'transparent')[];
    readonly mostFiles: number;
  };
  readonly spool: {
    readonly folder?: string;
    readonly documents: number;
    readonly mebibytes: number;
    readonly minutes: number;
  };
}

/** One of `env` and `file`. */
export type PoolPasswordDocument = string | { readonly env?: string; readonly file?: string };

export type MacrosAutoRefresh = 'never' | 'once' | 'daily' | 'session';

/** How the audit trail is kept. */
export interface AuditDocument {
  /** From this size on another file is begun. */
  readonly rotateMebibytes: number;
  /** Files whose entries are all older are removed; 0: none ever is. */
  readonly keepDays: number;
}

/** What several processes share; without it, files and memory. */
export interface StoreDocument {
  readonly postgresql: string;
  /** One of `env` and `file`. */
  readonly password?: { readonly env?: string; readonly file?: string };
  readonly ca?: string;
  readonly connections: number;
  readonly connectSeconds: number;
  readonly statementSeconds: number;
}

/** One of several servers with the same sites. */
export interface ClusterDocument {
  readonly node: string;
  readonly listen?: string;
  readonly address?: string;
  readonly silenceSeconds: number;
  readonly answerSeconds: number;
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string; readonly name: string };
}

export interface SecurityDocument {
  readonly database: string;
  readonly realm: string;
  readonly lockAfter: number;
  readonly lockMinutes: number;
  readonly signOnsPerUser: number;
  readonly ldap?: LdapDocument;
}

export interface LdapDocument {
  readonly url: string;
  readonly startTls: boolean;
  readonly ca?: string;
  readonly verify: boolean;
  readonly bindDn?: string;
  readonly decoyDn?: string;
  readonly bindPasswordFile?: string;
  readonly userBase: string;
  readonly userFilter: string;
  readonly userNameAttribute: string;
  readonly groupBase: string;
  readonly groupFilter: string;
  readonly groupNameAttribute: string;
  readonly defaultGroupAttribute?: string;
  readonly administratorGroup?: string;
  readonly operatorGroup?: string;
  readonly connectSeconds: number;
  readonly timeoutSeconds: number;
  readonly connections: number;
}

export interface SimulatedHostDocument {
  readonly simulated: true;
  readonly listen?: string;
  readonly users: Readonly<Record<string, string>>;
  readonly start: 'SIGNON' | 'LOGON' | 'MENU';
  readonly deviceType: string;
  readonly codePage: string;
  readonly faults: readonly (
    | 'delay'
    | 'disconnect'
    | 'garbage'
    | 'split'
    | 'locked'
    | 'broadcast'
    | 'cut-file'
    | 'bad-file'
    | 'no-file'
    | 'slow-file'
    | 'busy'
    | 'refuse'
  )[];
}

interface RemoteHostTlsDocument {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly verify: boolean;
  readonly ciphers?: string;
}

export interface RemoteHostDocument {
  readonly simulated?: undefined;
  readonly address: string;
  readonly tls: boolean | RemoteHostTlsDocument;
  readonly startTls: 'accepted' | 'required';
  readonly deviceType: string;
  readonly codePage: string;
  readonly luName?: string;
  readonly connectSeconds: number;
  readonly keepAliveSeconds: number;
}

export interface InboundLineDocument {
  readonly outbound?: false;
  readonly listen: string;
  readonly entryPoint: string;
  readonly portal?: 'administration';
  readonly name?: string;
  readonly tls?: {
    readonly cert: string;
    readonly key: string;
    readonly hstsSeconds?: number;
    readonly ciphers?: string;
  };
  readonly hostNames?: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly answers: LineAnswers;
  readonly limits: InboundLimits;
}

export interface OutboundLineDocument {
  readonly outbound: true;
  readonly site: string;
  readonly name?: string;
  readonly tls?:
    | boolean
    | { readonly ca?: string; readonly cert?: string; readonly key?: string; readonly ciphers?: string };
  readonly limits: {
    readonly connections: number;
    readonly queuedRequests: number;
    readonly connectSeconds: number;
    readonly replyBytes: number;
    readonly replyHeaderBytes: number;
  };
}

export interface EntryPointDocument {
  readonly directory: string;
  readonly description: string;
  readonly timeoutMinutes: number;
  readonly awayMinutes: number;
  readonly lastPage?: string;
  readonly identificationScenario?: string;
  readonly services?: boolean | readonly string[];
  readonly serviceUsers?: boolean | readonly string[];
  readonly terminalSettings?: TerminalSettingsRuleDocument & {
    readonly groups?: Readonly<Record<string, TerminalSettingsRuleDocument>>;
  };
  readonly embedding?: { readonly origins: readonly string[] };
  readonly transactions: Readonly<Record<string, TransactionDocument>>;
}

export interface TransactionDocument {
  readonly applicationType: 1 | 2 | 3 | 4 | 5;
  readonly application: string;
  readonly name?: string;
  readonly description: string;
  readonly security: 0 | 1 | 2 | 3 | 4 | 5;
  readonly startup: 'menu' | 'subMenu' | 'automatic';
  readonly page?: string;
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
  readonly logonMessage: string;
  readonly initialScenario?: string;
  readonly finalScenario?: string;
  readonly inputScenario?: string;
  readonly outputScenario?: string;
  readonly crypt?: string;
  readonly contentSecurityPolicy?: string;
  readonly terminals?: string;
  readonly printer?: string;
  readonly fileTransfer?: { readonly mebibytes: number; readonly groups: readonly string[] };
  readonly logmode?: string;
  readonly passTicket?: string;
  readonly translation?: number;
  readonly option?: string;
}
