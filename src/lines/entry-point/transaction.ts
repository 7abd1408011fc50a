/** Specification 2.2: 2 for scenario transactions. */
export const applicationTypes = {
  hostApplication: 1,
  serverProgram: 2,
  externalServer: 3,
  pageDirectory: 4,
  line: 5,
} as const;
type ApplicationType = (typeof applicationTypes)[keyof typeof applicationTypes];

export const securityLevels = { public: 0, basic: 1, ntlm: 2, certificate: 3, form: 4, signedOnAlready: 5 } as const;
export type SecurityLevel = (typeof securityLevels)[keyof typeof securityLevels];

type OpenTo = 'anybody' | 'users' | 'nobody';

/** NTLM and certificates are not supported, so such a transaction cannot be used. */
export function openTo(security: SecurityLevel): OpenTo {
  if (security === securityLevels.public) return 'anybody';
  return security === securityLevels.ntlm || security === securityLevels.certificate ? 'nobody' : 'users';
}

export interface Transaction {
  /** Internal name; also the name of its security resource. */
  readonly name: string;
  /** Name in the URL. Matches exactly first, then case-insensitively; `*` matches any name. */
  readonly externalName: string;
  readonly description: string;
  readonly applicationType: ApplicationType;
  /** Host, program, server, directory or line, depending on the application type; undefined: none (`$NONE$`). */
  readonly application: string | undefined;
  readonly security: SecurityLevel;
  readonly startup: 'menu' | 'subMenu' | 'automatic';
  /** Link target in the application menu; undefined: not in the menu. */
  readonly page?: string | undefined;
  /** Connection script at logon; `&/S` starts the module with the INITIAL scenario. */
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
  /** Logon message; for a page directory, the required path prefix. */
  readonly logonMessage: string;
  readonly initialScenario?: string | undefined;
  readonly finalScenario?: string | undefined;
  readonly inputScenario?: string | undefined;
  readonly outputScenario?: string | undefined;
  readonly crypt?: string | undefined;
  /** Replaces the default policy of responses and pages. */
  readonly contentSecurityPolicy?: string | undefined;
  readonly terminals?: string | undefined;
  readonly printer?: string | undefined;
  /** File transfer in sessions of the transaction; an empty list of groups allows all users. */
  readonly fileTransfer: { readonly mostBytes: number; readonly groups: readonly string[] } | undefined;
  readonly logmode?: string | undefined;
  readonly passTicket?: string | undefined;
  readonly translation?: number | undefined;
  readonly option?: string | undefined;
}
