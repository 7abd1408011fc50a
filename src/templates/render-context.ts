import type { ClientTurn } from '../lib/turns/fair-turns.js';
import type { HostScreen } from '../tn3270/screen/form-screen.js';
import type { PageDeclarations } from './page-declarations.js';
import type { Series } from './series.js';

/** SET-HEADER types whose value is a token for a capability (reference 2.10). */
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
 * Read-only data for templates, supplied by the caller: templates have no access to sessions, scenarios, keys or
 * clocks. Slow values (key pairs) and issued values (session codes, capability tokens) are obtained before rendering,
 * according to the `uses` of the compiled template.
 */
export interface RenderContext {
  readonly valuesOf: (variable: string) => Series | undefined;
  readonly client?: ClientTurn;
  /** True if the variable may change while a rendering is paused; undefined: no variable does. */
  readonly isLive?: (variable: string) => boolean;
  /** Value of `NAME-OF (item)`; undefined for an item without value in this context. */
  readonly nameOf: (item: string) => string | undefined;
  readonly numberOf: (item: string) => number | undefined;
  /** Value for the variable of `CREATE-VARIABLE-IF` if the condition is true, otherwise undefined. */
  readonly condition: (condition: string) => string | undefined;
  /** Hexadecimal digits without `0x`; undefined for an unknown crypt name. */
  readonly publicKey: (part: 'EXPONENT' | 'MODULUS', cryptName: string) => string | undefined;
  /** Name, cipher, key algorithm, provider, encoding, chaining, padding. */
  readonly encryptionParameters: (cryptName: string) => readonly string[] | undefined;
  /** Inserted by VIRPLEX-CODE before a page name, e.g. `w2h/`. */
  readonly prefixCode: string;
  /** For example `SvcSession=<code>`; undefined outside a session. */
  readonly sessionCode: string | undefined;
  /** `SvcSession=<stable code>`; undefined outside a session. */
  readonly ajaxSessionCode: string | undefined;
  readonly isUserAllowedTo: (resource: string) => boolean;
  /** Code page of `SET-OUTPUT-ENCODING-UTF-8 ""` (DEFUTF8 of the configuration), e.g. `IBM1147`. */
  readonly defaultCodePage: string;
  /** `SvcUserSignon=<code>` of USER-SIGNON-CODE; undefined without a signed-on user. */
  readonly userSignonCode?: string | undefined;
  readonly securityToken?: string | undefined;
  /** Undefined if the client lacks the permission; the header is then omitted. */
  readonly capabilities?: CapabilityTokens;
  readonly isPrintReady?: boolean;
  readonly printedText?: string | undefined;
  /** True if the page becomes a PDF, which contains no markup. */
  readonly isPdf?: boolean;
  readonly screen?: HostScreen | undefined;
  readonly declarations?: PageDeclarations | undefined;
  /** True if the browser encrypts or encodes nondisplay fields, marked with the attribute VCRYPT. */
  readonly encryptsFields?: boolean;
  /**
   * Addresses of displayed fields that the page declares ENCRYPTED.
   * @param names field names assigned by the page so far
   */
  readonly encryptedFields?: (names: ReadonlyMap<string, number>) => ReadonlySet<number>;
  readonly addressOfLine?: (line: string) => { readonly host: string; readonly port: number } | undefined;
}
