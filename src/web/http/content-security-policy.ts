/**
 * What pages may do unless their template (SET-HEADER) or their transaction says otherwise: scripts and styles are files of
 * this server, nothing is inline, nobody frames them.
 */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Of an answer that a scenario made of what a service said: nothing in it runs, and it is of no origin. */
export const answerPolicy = "default-src 'none'; sandbox";

const NAME = 'Content-Security-Policy';

/** The flat list of headers with a policy, where it has none yet. */
export function withPolicy(headers: readonly string[], policy: string): readonly string[] {
  const has = headers.some((header, index) => index % 2 === 0 && header.toLowerCase() === NAME.toLowerCase());
  return has ? headers : [...headers, NAME, policy];
}
