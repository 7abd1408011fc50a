import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSessionCode, nodeOfCode } from '../../sessions/session-code.js';
import { cookieName, type SentCookie, sentCookies, strictCookie, withdrawnCookie } from '../http/strict-cookie.js';

const PREFIX = 'SvcSession-';
const LABEL_CHARACTERS = 8;
const LABEL = /^(?:([a-z0-9]{1,8})\.)?[A-Za-z0-9_-]{8}$/;
/** Leftover cookies of ended sessions, or of servers on other ports. All together fit into a header. */
const MOST_LEFT_OVER = 16;
const MOST_ELSEWHERE = 32;

/**
 * Name of the session's second factor (contract). Each session has its own cookie, so that sessions of a browser do not
 * overwrite each other and no session accepts a planted cookie.
 */
function sessionCookieName(code: string): string {
  return PREFIX + sessionLabel(code);
}

/**
 * Identifies a session within its own browser. Contains the node like the code, but does not help to guess the code.
 */
export function sessionLabel(code: string): string {
  const node = nodeOfCode(code);
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, LABEL_CHARACTERS);
  return node === undefined ? hash : `${node}.${hash}`;
}

function sentSessionCookies(request: IncomingMessage): SentCookie[] {
  const prefix = cookieName(request, PREFIX);
  return sentCookies(request, (name) => name.startsWith(prefix) && LABEL.test(name.slice(prefix.length)));
}

export function sessionCookieLabels(request: IncomingMessage): string[] {
  const prefix = cookieName(request, PREFIX);
  return sentSessionCookies(request).map(({ name }) => name.slice(prefix.length));
}

export function sessionCookiesOf(request: IncomingMessage): string[] {
  return sentSessionCookies(request).map(({ value }) => value);
}

export function sessionCookiesNamed(request: IncomingMessage, label: string): string[] {
  const full = cookieName(request, PREFIX) + label;
  return sentSessionCookies(request).flatMap(({ name, value }) => (name === full ? [value] : []));
}

export function sessionCookie(request: IncomingMessage, code: string, value: string): string {
  return strictCookie(request, sessionCookieName(code), value);
}

export function withdrawnSessionCookie(request: IncomingMessage, code: string): string {
  return withdrawnCookie(request, sessionCookieName(code));
}

/**
 * Withdraws the oldest cookies without an open session above the limit. Browsers send the oldest first (RFC 6265,
 * section 5.4).
 */
export function withdrawnLeftOvers(
  request: IncomingMessage,
  node: string | undefined,
  isOpen: (value: string) => boolean,
): string[] {
  const sessionPrefix = cookieName(request, PREFIX);
  const ofNode = ({ name }: SentCookie) => (nodeOfCode(name.slice(sessionPrefix.length)) ?? node) === node;
  const sent = sentSessionCookies(request);
  const leftOver = sent.filter((cookie) => ofNode(cookie) && !isOpen(cookie.value));
  // the state of sessions on other nodes is unknown here
  const elsewhere = sent.filter((cookie) => !ofNode(cookie));
  const withdrawn = new Set(
    [...leftOver.slice(0, -MOST_LEFT_OVER), ...elsewhere.slice(0, -MOST_ELSEWHERE)].map(({ name }) => name),
  );
  const prefix = cookieName(request, '');
  return [...withdrawn].map((name) => withdrawnCookie(request, name.slice(prefix.length)));
}

export type SessionWish = 'page' | 'status' | 'print' | 'transfer';

const wishes: Readonly<Record<string, SessionWish>> = {
  Validate: 'status',
  Verify: 'status',
  Print: 'print',
  Transfer: 'transfer',
};

type SessionReference =
  | {
      readonly by: 'code';
      /** As written by the client; empty if it is not a valid code. */
      readonly code: string;
      readonly wish: SessionWish;
    }
  | {
      readonly by: 'cookie';
      readonly label: string | undefined;
    };

const asked = /^(Validate|Verify|Print|Transfer)(?=SvcSession=|AjaxSession=)/;
const named = /^(?:SvcSession|AjaxSession)=(.*)$/;
const BY_COOKIE = '$UseCookieSession$';
const byLabel = /^\$UseCookieSession\$=((?:[a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{8})$/;

/** @param text text after the two plus signs */
export function sessionReference(text: string): SessionReference {
  const label = byLabel.exec(text)?.[1];
  if (label !== undefined || text === BY_COOKIE) return { by: 'cookie', label };
  const wish = wishes[asked.exec(text)?.[1] ?? ''] ?? 'page';
  const code = named.exec(text.replace(asked, ''))?.[1] ?? '';
  return { by: 'code', code: isSessionCode(code) ? code : '', wish };
}

/** True if the path identifies a session only by cookies, which pages of other ports can send too. */
export function isByCookie(text: string): boolean {
  return text.startsWith(BY_COOKIE);
}
