import type { IncomingMessage } from 'node:http';
import { isOverTls } from './request-sender.js';

const value = /^[A-Za-z0-9_-]{16,64}$/;

/** Neither another port nor a subdomain without TLS can set a cookie of such a name (RFC 6265bis, section 4.1.3.2). */
const HOST_PREFIX = '__Host-';

const MOST_COOKIES_OF_NAME = 10;

export interface SentCookie {
  readonly name: string;
  readonly value: string;
}

/** The name that a cookie has on the connection of a request. */
export function cookieName(request: IncomingMessage, name: string): string {
  return isOverTls(request) ? HOST_PREFIX + name : name;
}

/**
 * Cookies of the shape of ours, in the order in which they came. There may be several of a name: other servers of the same
 * name, or of the same domain, set theirs, and a browser does not say which is whose.
 */
export function sentCookies(request: IncomingMessage, isOurs: (name: string) => boolean): SentCookie[] {
  const cookies: SentCookie[] = [];
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const cookie = { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() };
    if (isOurs(cookie.name) && value.test(cookie.value)) cookies.push(cookie);
  }
  return cookies;
}

/** Values of the first cookies of a name: each is looked up. */
export function cookiesNamed(request: IncomingMessage, name: string): string[] {
  const full = cookieName(request, name);
  const found = sentCookies(request, (sent) => sent === full).slice(0, MOST_COOKIES_OF_NAME);
  return found.map(({ value: sent }) => sent);
}

/** No script sees it, no page of another site has it sent. */
export function strictCookie(request: IncomingMessage, name: string, content: string): string {
  const secure = isOverTls(request) ? '; Secure' : '';
  return `${cookieName(request, name)}=${content}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

/** Takes a cookie away from its browser. */
export function withdrawnCookie(request: IncomingMessage, name: string): string {
  return `${strictCookie(request, name, '')}; Max-Age=0`;
}
