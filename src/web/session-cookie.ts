import type { IncomingMessage } from 'node:http';

/** The second factor of a session: no script sees it, no other site sends it (contract). */
const COOKIE_NAME = 'SvcSession';
const ours = /^[A-Za-z0-9_-]{16,64}$/;

/** What the browser sent back; undefined where nothing of the shape of ours came. */
export function sessionCookieOf({ headers }: IncomingMessage): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() !== COOKIE_NAME) continue;
    const value = pair.slice(equals + 1).trim();
    return ours.test(value) ? value : undefined;
  }
  return undefined;
}

export function sessionCookie(value: string, isSecure: boolean): string {
  return `${COOKIE_NAME}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
