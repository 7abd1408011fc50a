import type { ClientTurn } from '../lib/turns/fair-turns.js';
import type { HostScreen } from '../tn3270/screen/form-screen.js';
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
 * What a template can read while it is rendered, supplied by the caller: a template has no access to sessions, scenarios,
 * keys or clocks. Everything here is read-only. Values that take time (a key pair) or are issued (session codes, tokens of
 * capabilities) are obtained before rendering, according to the `uses` of the compiled template.
 */
export interface RenderContext {
  /** The values of a variable in their order, or undefined if no such variable exists. */
  readonly valuesOf: (variable: string) => readonly string[] | undefined;
  /** The client that the page is rendered for; undefined: none. */
  readonly client?: ClientTurn;
  /** Whether others may change a variable while the page is rendered in turns; undefined: none of them. */
  readonly isLive?: (variable: string) => boolean;
  /** The value of an item of `NAME-OF (item)`; undefined if it has none in this context. */
  readonly nameOf: (item: string) => string | undefined;
  /** The value of an item of `NUMBER-OF (item)`; undefined if there is none (no screen). */
  readonly numberOf: (item: string) => number | undefined;
  /** Whether a condition of `CREATE-VARIABLE-IF` holds, as the value for the variable; undefined if it does not. */
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
  /** `SvcUserSignon=<code>` of USER-SIGNON-CODE; undefined if nobody is signed on. */
  readonly userSignonCode?: string | undefined;
  /** The upload security code; undefined or empty: there is none. */
  readonly securityToken?: string | undefined;
  /** The tokens of capabilities; if there is none, the client lacks the permission and no header is added. */
  readonly capabilities?: CapabilityTokens;
  /** Whether data of the virtual printer waits. */
  readonly isPrintReady?: boolean;
  /** The text of the printed document that the page was asked for. */
  readonly printedText?: string | undefined;
  /** Whether the page becomes a PDF: nothing in it is markup then. */
  readonly isPdf?: boolean;
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
