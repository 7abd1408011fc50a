import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClientSite } from './client-site.js';
import { isOverTls } from './request-sender.js';

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

/** Origins whose pages may have those of the entry point in theirs. The portal is in nobody's. */
export function embeddersOf({ entryPoint, portal }: ClientSite): readonly string[] {
  return portal === undefined ? entryPoint.definition.embedders : [];
}

/**
 * Whether the frame of a page that may do so asks. Browsers say in Referer whose page it is, unless that page hides it: then it
 * is nobody's. A program may say what it likes, and gains nothing: it needs no frame.
 */
export function isFramedByEmbedder(site: ClientSite, { headers }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode, referer = '' } = headers;
  if (destination !== 'iframe' || mode !== 'navigate') return false;
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(referer) ?? [];
  return embeddersOf(site).includes(origin.toLowerCase());
}

/**
 * A cookie for a page in a frame: in that of another site browsers send none that is Strict. It is None there, and Partitioned, so
 * that it exists below that one site alone. Everywhere else, and without TLS, the cookie stays as it is.
 */
export function embeddedCookie(site: ClientSite, request: IncomingMessage, strict: string): string {
  const isFramed = request.headers['sec-fetch-dest'] === 'iframe' && embeddersOf(site).length > 0;
  return isFramed && isOverTls(request) ? strict.replace('SameSite=Strict', 'SameSite=None; Partitioned') : strict;
}
