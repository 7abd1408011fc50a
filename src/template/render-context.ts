import type { HostScreen } from '../screen/host-screen.js';
import type { PageDeclarations } from './page-declarations.js';

/** Types of SET-HEADER whose value is a token that opens something (reference 2.10). */
export const capabilities = [
  'TO-ALLOW-READ-OF-SCENARIO-TRACE',
  'GIVING-ACCESS-TO-%USER%-DIRECTORY-WITH-MY-USERID',
  'GIVING-ACCESS-TO-%GROUP%-DIRECTORY-WITH-MY-USERID',
  'GIVING-ACCESS-TO-%USER%-DIRECTORY-IN-VARIABLE-%USER%',
  'GIVING-ACCESS-TO-%GROUP%-DIRECTORY-IN-VARIABLE-%GROUP%',
] as const;
export type Capability = (typeof capabilities)[number];
export type CapabilityTokens = ReadonlyMap<Capability, string>;

/**
 * What a template asks for while it is rendered. The one who renders supplies it: a template knows no session, no
 * scenario, no key and no clock. Everything here only reads: what takes time to get (a key pair) or is issued (session codes,
 * tokens of capabilities) is got before, by looking at what the compiled template says it uses.
 */
export interface RenderContext {
  /** The values of a variable in their order, or undefined where no such variable exists. */
  readonly valuesOf: (variable: string) => readonly string[] | undefined;
  /** The value of an item of `NAME-OF (item)`; undefined where the item has none in this context. */
  readonly nameOf: (item: string) => string | undefined;
  /** The value of an item of `NUMBER-OF (item)`; undefined where there is none (no screen). */
  readonly numberOf: (item: string) => number | undefined;
  /** Whether a condition of `CREATE-VARIABLE-IF` holds, as the value the variable gets; undefined where it does not. */
  readonly condition: (condition: string) => string | undefined;
  /** Lower- or upper-case hex without `0x`; undefined for an unknown crypt name. */
  readonly publicKey: (part: 'EXPONENT' | 'MODULUS', cryptName: string) => string | undefined;
  /** The tuple of a crypt name in its order (name, cipher, key algorithm, provider, encoding, chaining, padding). */
  readonly encryptionParameters: (cryptName: string) => readonly string[] | undefined;
  /** Inserted by VIRPLEX-CODE, directly in front of a page name, for example `w2h/`. */
  readonly prefixCode: string;
  /** `SvcSession=<code>` or the like; undefined outside a session. */
  readonly sessionCode: string | undefined;
  /** `SvcSession=<stable code>`; undefined outside a session. */
  readonly ajaxSessionCode: string | undefined;
  /** Whether the signed-on user may use a security resource. */
  readonly isUserAllowedTo: (resource: string) => boolean;
  /** The code page of `SET-OUTPUT-ENCODING-UTF-8 ""` (the configuration's DEFUTF8), for example `IBM1147`. */
  readonly defaultCodePage: string;
  /** `SvcUserSignon=<code>` of USER-SIGNON-CODE; undefined where nobody is signed on. */
  readonly userSignonCode?: string | undefined;
  /** The upload security code; undefined or empty: there is none. */
  readonly securityToken?: string | undefined;
  /** The tokens of capabilities; where there is none, the one who asks has no right to it, and no header is added. */
  readonly capabilities?: CapabilityTokens;
  /** Whether data of the virtual printer waits. */
  readonly isPrintReady?: boolean;
  /** The screen of the host session; undefined outside of one. */
  readonly screen?: HostScreen | undefined;
  /** What scenarios have declared about the screen (DECLARE$, FIELD$). */
  readonly declarations?: PageDeclarations | undefined;
  /** Whether the browser is to encrypt, or encode, non-displayable fields: they get the attribute VCRYPT. */
  readonly encryptsFields?: boolean;
  /**
   * Addresses of displayed fields that the page declares ENCRYPTED.
   * @param names that the page has given to fields so far
   */
  readonly encryptedFields?: (names: ReadonlyMap<string, number>) => ReadonlySet<number>;
  /** Where a line listens, by its internal name. */
  readonly addressOfLine?: (line: string) => { readonly host: string; readonly port: number } | undefined;
}
