import type { IncomingMessage } from 'node:http';
import { isOverTls } from './request-sender.js';

const value = /^[A-Za-z0-9_-]{16,64}$/;

/** With this prefix, another port or a subdomain without TLS cannot set the cookie (RFC 6265bis, section 4.1.3.2). */
const HOST_PREFIX = '__Host-';

const MOST_COOKIES_OF_NAME = 10;

export interface SentCookie {
  readonly name: string;
  readonly value: string;
}

export function cookieName(request: IncomingMessage, name: string): string {
  return isOverTls(request) ? HOST_PREFIX + name : name;
}

/**
 * Cookies in the format of this server, in the order sent. A name can occur several times, because other servers of the
 * same host name or domain set cookies too, and browsers do not send their origin.
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

export function cookiesNamed(request: IncomingMessage, name: string): string[] {
  const full = cookieName(request, name);
  const found = sentCookies(request, (sent) => sent === full).slice(0, MOST_COOKIES_OF_NAME);
  return found.map(({ value: sent }) => sent);
}

export function strictCookie(request: IncomingMessage, name: string, content: string): string {
  const secure = isOverTls(request) ? '; Secure' : '';
  return `${cookieName(request, name)}=${content}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

export function withdrawnCookie(request: IncomingMessage, name: string): string {
  return `${strictCookie(request, name, '')}; Max-Age=0`;
}
