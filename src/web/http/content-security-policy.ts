import { createHash } from 'node:crypto';

/**
 * What pages may do unless their template (SET-HEADER) or their transaction says otherwise: scripts and styles are files of
 * this server, inline scripts only those of the template itself, and no other page frames them.
 */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const usualSessionPolicy = pagePolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");

/**
 * Of a page with a session: the page that has several of them side by side frames it, and of other servers those that the entry
 * point names.
 */
export function sessionPolicy(embedders: readonly string[]): string {
  return [usualSessionPolicy, ...embedders].join(' ');
}

/**
 * What browsers that know nothing of policies are told of who may frame a page; undefined: they cannot be told, as it is others.
 * @param isOfSession where the policy says nothing of it
 */
export function frameOptions(policy: string, isOfSession: boolean): string | undefined {
  const ancestors = /(?:^|;)\s*frame-ancestors\s+([^;]*)/i.exec(policy)?.[1]?.trim();
  if (ancestors === undefined) return isOfSession ? 'SAMEORIGIN' : 'DENY';
  if (ancestors === "'none'") return 'DENY';
  return ancestors === "'self'" ? 'SAMEORIGIN' : undefined;
}

/** Of the page that has the sessions of a browser in frames. */
export const workspacePolicy = `${pagePolicy}; frame-src 'self'`;

/** Of an answer that a scenario made of what a service said: nothing in it runs, and it is of no origin. */
export const answerPolicy = "default-src 'none'; sandbox";

/**
 * One of the policies above, for a page with these inline scripts: it allows their hashes (Content Security Policy Level 3, 6.7.3.3).
 * The policy of a transaction or of SET-HEADER is the operator's and stays as it is.
 */
export function allowingScripts(policy: string, scripts: ReadonlySet<string> = new Set()): string {
  if (scripts.size === 0) return policy;
  const hashes = [...scripts].map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return policy.replace("script-src 'self'", `script-src 'self' ${hashes.join(' ')}`);
}

const NAME = 'Content-Security-Policy';
const FOLDED_NAME = NAME.toLowerCase();

/** The flat list of headers with a policy, where it has none yet. */
export function withPolicy(headers: readonly string[], policy: string): readonly string[] {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.length === NAME.length && name.toLowerCase() === FOLDED_NAME) return headers;
  }
  return [...headers, NAME, policy];
}
