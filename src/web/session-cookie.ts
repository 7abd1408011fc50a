import type { IncomingMessage } from 'node:http';

/** The second factor of a session: no script sees it, no other site sends it (contract). */
const COOKIE_NAME = 'SvcSession';
const ours = /^[A-Za-z0-9_-]{16,64}$/;

/**
 * What the browser sent back that has the shape of ours. There may be several: other servers of the same name, or of the same
 * domain, set theirs, and a browser does not say which is whose.
 */
export function sessionCookiesOf(request: IncomingMessage): string[] {
  return cookiesNamed(request, COOKIE_NAME);
}

/** Values of cookies of ours, by their name. */
export function cookiesNamed({ headers }: IncomingMessage, cookieName: string): string[] {
  const values: string[] = [];
  for (const pair of (headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== cookieName) continue;
    const value = pair.slice(equals + 1).trim();
    if (ours.test(value)) values.push(value);
  }
  return values;
}

export function sessionCookie(value: string, isSecure: boolean): string {
  return strictCookie(COOKIE_NAME, value, isSecure);
}

/** No script sees it, no page of another site has it sent. */
export function strictCookie(name: string, value: string, isSecure: boolean): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
