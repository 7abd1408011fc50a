/** What kind of thing a transaction leads to (specification 2.2: 2 for scenario transactions). */
export const applicationTypes = {
  hostApplication: 1,
  serverProgram: 2,
  externalServer: 3,
  pageDirectory: 4,
  line: 5,
} as const;
type ApplicationType = (typeof applicationTypes)[keyof typeof applicationTypes];

/** What a transaction asks of its user before it is served. */
export const securityLevels = { public: 0, basic: 1, ntlm: 2, certificate: 3, form: 4, signedOnAlready: 5 } as const;
export type SecurityLevel = (typeof securityLevels)[keyof typeof securityLevels];

/** Whom a transaction is open to. */
type OpenTo = 'anybody' | 'users' | 'nobody';

/** NTLM and certificates are not served: such a transaction is open to nobody. */
export function openTo(security: SecurityLevel): OpenTo {
  if (security === securityLevels.public) return 'anybody';
  return security === securityLevels.ntlm || security === securityLevels.certificate ? 'nobody' : 'users';
}

export interface Transaction {
  /** Internal name; also the name of its security resource. */
  readonly name: string;
  /** The name in the URL. Matched exactly first, then without regard to case; `*` matches any. */
  readonly externalName: string;
  readonly description: string;
  readonly applicationType: ApplicationType;
  /** Host, program, server, directory or line, by application type; undefined: none (`$NONE$`). */
  readonly application: string | undefined;
  readonly security: SecurityLevel;
  readonly startup: 'menu' | 'subMenu' | 'automatic';
  /** What the application menu links to; undefined: it is not there. */
  readonly page?: string | undefined;
  /** Connection script at logon; `&/S` starts the module that holds the INITIAL scenario. */
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
  /** Logon message; for a page directory: the path prefix that must match. */
  readonly logonMessage: string;
  readonly initialScenario?: string | undefined;
  readonly finalScenario?: string | undefined;
  readonly inputScenario?: string | undefined;
  readonly outputScenario?: string | undefined;
  readonly crypt?: string | undefined;
  /** Takes the place of the policy that answers and pages have otherwise. */
  readonly contentSecurityPolicy?: string | undefined;
  readonly terminals?: string | undefined;
  /** Whose documents its terminal shows. */
  readonly printer?: string | undefined;
  /** Whether its sessions transfer files, of at most so many bytes each; for members of these groups alone where there are any. */
  readonly fileTransfer: { readonly mostBytes: number; readonly groups: readonly string[] } | undefined;
  readonly logmode?: string | undefined;
  readonly passTicket?: string | undefined;
  readonly translation?: number | undefined;
  readonly option?: string | undefined;
}
