import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClientSite } from './client-site.js';
import { isOverTls } from './request-sender.js';

/**
 * Default policy of pages: scripts and styles only from this server, inline scripts only from the template, no framing.
 * Templates (SET-HEADER) and transactions can replace it.
 */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const usualSessionPolicy = pagePolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");

/**
 * Policy of session pages: the server's own page with several sessions may frame them, and so may the embedders of the
 * entry point.
 */
export function sessionPolicy(embedders: readonly string[]): string {
  return [usualSessionPolicy, ...embedders].join(' ');
}

/**
 * X-Frame-Options for browsers without CSP; undefined if the header cannot express the policy.
 * @param isOfSession used if the policy has no frame-ancestors
 */
export function frameOptions(policy: string, isOfSession: boolean): string | undefined {
  const ancestors = /(?:^|;)\s*frame-ancestors\s+([^;]*)/i.exec(policy)?.[1]?.trim();
  if (ancestors === undefined) return isOfSession ? 'SAMEORIGIN' : 'DENY';
  if (ancestors === "'none'") return 'DENY';
  return ancestors === "'self'" ? 'SAMEORIGIN' : undefined;
}

export const workspacePolicy = `${pagePolicy}; frame-src 'self'`;

/** For content that a scenario received from elsewhere: no scripts, opaque origin. */
export const answerPolicy = "default-src 'none'; sandbox";

/**
 * Adds the hashes of inline scripts to a policy of this file (Content Security Policy Level 3, 6.7.3.3). Policies of
 * transactions and SET-HEADER belong to the operator and are not changed.
 */
export function allowingScripts(policy: string, scripts: ReadonlySet<string> = new Set()): string {
  if (scripts.size === 0) return policy;
  const hashes = [...scripts].map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return policy.replace("script-src 'self'", `script-src 'self' ${hashes.join(' ')}`);
}

const NAME = 'Content-Security-Policy';
const FOLDED_NAME = NAME.toLowerCase();

export function withPolicy(headers: readonly string[], policy: string): readonly string[] {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.length === NAME.length && name.toLowerCase() === FOLDED_NAME) return headers;
  }
  return [...headers, NAME, policy];
}

/** Origins that may frame pages of the entry point. Portal pages cannot be framed. */
export function embeddersOf({ entryPoint, portal }: ClientSite): readonly string[] {
  return portal === undefined ? entryPoint.definition.embedders : [];
}

/**
 * True if the request comes from a frame of an allowed embedder, according to Referer. If the embedder hides the
 * Referer, the frame is not allowed. Programs can forge the header but gain nothing.
 */
export function isFramedByEmbedder(site: ClientSite, { headers }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode, referer = '' } = headers;
  if (destination !== 'iframe' || mode !== 'navigate') return false;
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(referer) ?? [];
  return embeddersOf(site).includes(origin.toLowerCase());
}

/**
 * Browsers send no Strict cookie in a frame of another site. Over TLS, the cookie becomes None and Partitioned there,
 * so that it exists only below that site. In other cases it stays Strict.
 */
export function embeddedCookie(site: ClientSite, request: IncomingMessage, strict: string): string {
  const isFramed = request.headers['sec-fetch-dest'] === 'iframe' && embeddersOf(site).length > 0;
  return isFramed && isOverTls(request) ? strict.replace('SameSite=Strict', 'SameSite=None; Partitioned') : strict;
}
