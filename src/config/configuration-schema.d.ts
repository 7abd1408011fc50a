/** Generated from sallyport.schema.json by scripts/configuration-sources.mjs. */

export type Crypt = string | null;

export interface ConfigurationSchema {
  readonly data: string;
  readonly tct: {
    readonly DEFUTF8: string;
    readonly CRYPT1?: Crypt;
    readonly CRYPT2?: Crypt;
    readonly CRYPT3?: Crypt;
    readonly CRYPT4?: Crypt;
    readonly CRYPT5?: Crypt;
    readonly CRYPT6?: Crypt;
    readonly CRYPT7?: Crypt;
    readonly CRYPT8?: Crypt;
    readonly CRYPT9?: Crypt;
  };
  readonly audit: {
    readonly rotateMebibytes: number;
    readonly keepDays: number;
  };
  readonly processes: number | 'auto';
  readonly drainMinutes: number;
  readonly workerStartSeconds: number;
  readonly workerSilenceSeconds: number;
  readonly store?: {
    readonly postgresql: string;
    readonly password?: {
      readonly env?: string;
      readonly file?: string;
    };
    readonly ca?: string;
    readonly connections: number;
    readonly connectSeconds: number;
    readonly statementSeconds: number;
  };
  readonly cluster?: {
    readonly node: string;
    readonly listen?: string;
    readonly address?: string;
    readonly silenceSeconds: number;
    readonly answerSeconds: number;
    readonly tls?: {
      readonly cert: string;
      readonly key: string;
      readonly ca: string;
      readonly name: string;
    };
  };
  readonly security: {
    readonly database: string;
    readonly realm: string;
    readonly lockAfter: number;
    readonly lockMinutes: number;
    readonly signOnsPerUser: number;
    readonly ldap?: {
      readonly url: string;
      readonly startTls: boolean;
      readonly ca?: string;
      readonly verify: boolean;
      readonly bindDn?: string;
      readonly bindPasswordFile?: string;
      readonly decoyDn?: string;
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
    };
  };
  readonly directories: {
    [k: string]: string;
  };
  readonly scenarios?: string;
  readonly services?: string;
  readonly macros?: string;
  readonly macrosAutoRefresh: 'never' | 'once' | 'daily' | 'session';
  readonly macroPublishers?: string;
  readonly hosts: {
    [k: string]: SimulatedHost | RemoteHost;
  };
  readonly pools: {
    [k: string]: Pool;
  };
  readonly printers: {
    [k: string]: Printer;
  };
  readonly lines: {
    [k: string]: OutboundLine | InboundLine;
  };
  readonly entryPoints: {
    [k: string]: EntryPoint;
  };
  readonly sessions: {
    readonly limit: number;
    readonly keysReady: number;
    readonly keysWaiting: number;
  };
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
  readonly management?: {
    readonly listen: string;
    readonly stopDelaySeconds: number;
  };
  readonly demo: {
    readonly currencyService?: string;
  };
}
export interface SimulatedHost {
  readonly simulated: true;
  readonly listen?: string;
  readonly users: {
    [k: string]: string;
  };
  readonly start: 'SIGNON' | 'LOGON' | 'MENU';
  readonly faults: (
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
  readonly deviceType: string;
  readonly codePage: string;
}
export interface RemoteHost {
  readonly address: string;
  tls:
    | boolean
    | {
        readonly ca?: string;
        readonly cert?: string;
        readonly key?: string;
        readonly verify: boolean;
        readonly ciphers?: string;
      };
  readonly startTls: 'accepted' | 'required';
  readonly deviceType: string;
  readonly luName?: string;
  readonly codePage: string;
  readonly connectSeconds: number;
  readonly keepAliveSeconds: number;
}
export interface Pool {
  readonly host: string;
  readonly ready: number;
  readonly most: number;
  readonly users: {
    readonly user: string;
    password:
      | string
      | {
          readonly env?: string;
          readonly file?: string;
        };
  }[];
  readonly sessionsPerUser: number;
  readonly signOn: string;
  readonly signOff?: string;
  readonly home: string;
  readonly returnHome: string[];
  readonly checkoutSeconds: number;
  readonly waitSeconds: number;
  readonly idleMinutes: number;
  readonly keepAliveSeconds: number;
}
export interface Printer {
  readonly host: string;
  readonly luName?: string;
  readonly associate: boolean;
  readonly groups: string[];
  readonly silenceSeconds: number;
  readonly form: {
    readonly paper: 'A3' | 'A4' | 'A5' | 'LETTER' | 'LEGAL';
    readonly orientation: 'portrait' | 'landscape';
    readonly columns: number;
    readonly lines: number;
    readonly marginMillimetres: number;
    readonly font?: string;
  };
  readonly output?: {
    readonly folder: string;
    readonly as: ('pdf' | 'text' | 'transparent')[];
    readonly mostFiles: number;
  };
  readonly spool: {
    readonly folder?: string;
    readonly documents: number;
    readonly mebibytes: number;
    readonly minutes: number;
  };
}
export interface OutboundLine {
  readonly outbound: true;
  readonly site: string;
  readonly name?: string;
  tls?:
    | boolean
    | {
        readonly ca?: string;
        readonly cert?: string;
        readonly key?: string;
        readonly ciphers?: string;
      };
  readonly limits: {
    readonly connections: number;
    readonly queuedRequests: number;
    readonly connectSeconds: number;
    readonly replyBytes: number;
    readonly replyHeaderBytes: number;
  };
}
export interface InboundLine {
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
  readonly trustedProxies: string[];
  readonly answers: {
    readonly server: boolean;
    readonly hstsSeconds?: number;
    readonly headers: {
      [k: string]: string;
    };
  };
  readonly hostNames?: string[];
  readonly limits: {
    readonly connections: number;
    readonly connectionsPerAddress: number;
    readonly urlBytes: number;
    readonly headerBytes: number;
    readonly bodyBytes: number;
    readonly headerSeconds: number;
    readonly requestSeconds: number;
    readonly idleSeconds: number;
    readonly sessions: number;
    readonly sessionsPerAddress: number;
    readonly sessionStartsPerAddress: number;
    readonly sessionIdleSeconds: number;
  };
  readonly outbound?: false;
}
export interface EntryPoint {
  readonly directory: string;
  readonly description: string;
  readonly timeoutMinutes: number;
  readonly awayMinutes: number;
  readonly identificationScenario?: string;
  readonly lastPage?: string;
  readonly services?: boolean | string[];
  readonly serviceUsers?: boolean | string[];
  readonly embedding?: {
    readonly origins: string[];
  };
  readonly transactions: {
    [k: string]: Transaction;
  };
  readonly terminalSettings?: {
    readonly defaults?: {
      [k: string]: unknown;
    };
    readonly locked?: (
      | 'theme'
      | 'ownColours'
      | 'fontSize'
      | 'cursorShape'
      | 'cursorBlink'
      | 'crossHair'
      | 'hotspots'
      | 'wheel'
      | 'keyMap'
      | 'keys'
      | 'applicationKeys'
      | 'typeAhead'
      | 'blankFill'
      | 'bell'
      | 'confirmLeave'
      | 'phoneKeys'
      | 'language'
    )[];
    readonly groups?: {
      [k: string]: {
        readonly defaults?: {
          [k: string]: unknown;
        };
        readonly locked?: (
          | 'theme'
          | 'ownColours'
          | 'fontSize'
          | 'cursorShape'
          | 'cursorBlink'
          | 'crossHair'
          | 'hotspots'
          | 'wheel'
          | 'keyMap'
          | 'keys'
          | 'applicationKeys'
          | 'typeAhead'
          | 'blankFill'
          | 'bell'
          | 'confirmLeave'
          | 'phoneKeys'
          | 'language'
        )[];
      };
    };
  };
}
export interface Transaction {
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
  readonly fileTransfer?: {
    readonly mebibytes: number;
    readonly groups: string[];
  };
  readonly logmode?: string;
  readonly passTicket?: string;
  readonly translation?: 0 | 1 | 2 | 4;
  readonly option?: string;
}
