import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSessionCode, nodeOfCode } from '../../sessions/session-code.js';
import { cookieName, type SentCookie, sentCookies, strictCookie, withdrawnCookie } from '../http/strict-cookie.js';

const PREFIX = 'SvcSession-';
const LABEL_CHARACTERS = 8;
const LABEL = /^(?:([a-z0-9]{1,8})\.)?[A-Za-z0-9_-]{8}$/;
/** Cookies of sessions that are over, or of servers of other ports, that a browser keeps: together they fit into a header. */
const MOST_LEFT_OVER = 16;
const MOST_ELSEWHERE = 32;

/**
 * The second factor of a session (contract): a cookie of its own, so that sessions of one browser do not take it from each
 * other, and none of them takes over what somebody has planted.
 */
function sessionCookieName(code: string): string {
  return PREFIX + sessionLabel(code);
}

/**
 * What pages of the session's own browser call it: it tells whose session it is, as its code does, and nothing that helps to
 * guess the rest.
 */
export function sessionLabel(code: string): string {
  const node = nodeOfCode(code);
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, LABEL_CHARACTERS);
  return node === undefined ? hash : `${node}.${hash}`;
}

/** What the browser sent back that may be cookies of sessions. */
function sentSessionCookies(request: IncomingMessage): SentCookie[] {
  const prefix = cookieName(request, PREFIX);
  return sentCookies(request, (name) => name.startsWith(prefix) && LABEL.test(name.slice(prefix.length)));
}

/** The labels of their sessions. */
export function sessionCookieLabels(request: IncomingMessage): string[] {
  const prefix = cookieName(request, PREFIX);
  return sentSessionCookies(request).map(({ name }) => name.slice(prefix.length));
}

/** Their values. */
export function sessionCookiesOf(request: IncomingMessage): string[] {
  return sentSessionCookies(request).map(({ value }) => value);
}

/** Those of one session. */
export function sessionCookiesNamed(request: IncomingMessage, label: string): string[] {
  const full = cookieName(request, PREFIX) + label;
  return sentSessionCookies(request).flatMap(({ name, value }) => (name === full ? [value] : []));
}

export function sessionCookie(request: IncomingMessage, code: string, value: string): string {
  return strictCookie(request, sessionCookieName(code), value);
}

/** Takes the cookie of a session that is over away from its browser. */
export function withdrawnSessionCookie(request: IncomingMessage, code: string): string {
  return withdrawnCookie(request, sessionCookieName(code));
}

/**
 * Withdraws the oldest of the cookies that belong to no open session, past those that may be left over: browsers send the
 * oldest first (RFC 6265, section 5.4).
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
  // of those of other servers nobody here knows whether they are open
  const elsewhere = sent.filter((cookie) => !ofNode(cookie));
  const withdrawn = new Set(
    [...leftOver.slice(0, -MOST_LEFT_OVER), ...elsewhere.slice(0, -MOST_ELSEWHERE)].map(({ name }) => name),
  );
  const prefix = cookieName(request, '');
  return [...withdrawn].map((name) => withdrawnCookie(request, name.slice(prefix.length)));
}

/**
 * `status`: only whether the screen has changed; `print`: what the printer of the session has printed; `transfer`: files between
 * client and host.
 */
export type SessionWish = 'page' | 'status' | 'print' | 'transfer';

const wishes: Readonly<Record<string, SessionWish>> = {
  Validate: 'status',
  Verify: 'status',
  Print: 'print',
  Transfer: 'transfer',
};

/** How a path names a session: by its code, or as one of those whose cookies come along. */
type SessionReference =
  | {
      readonly by: 'code';
      /** As the client wrote it; empty where it cannot be one. */
      readonly code: string;
      readonly wish: SessionWish;
    }
  | {
      readonly by: 'cookie';
      /** Undefined: the newest of them. */
      readonly label: string | undefined;
    };

const asked = /^(Validate|Verify|Print|Transfer)(?=SvcSession=|AjaxSession=)/;
const named = /^(?:SvcSession|AjaxSession)=(.*)$/;
const BY_COOKIE = '$UseCookieSession$';
/** One of several: the label of its cookie follows. */
const byLabel = /^\$UseCookieSession\$=((?:[a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{8})$/;

/** @param text what follows the two plus signs */
export function sessionReference(text: string): SessionReference {
  const label = byLabel.exec(text)?.[1];
  if (label !== undefined || text === BY_COOKIE) return { by: 'cookie', label };
  const wish = wishes[asked.exec(text)?.[1] ?? ''] ?? 'page';
  const code = named.exec(text.replace(asked, ''))?.[1] ?? '';
  return { by: 'code', code: isSessionCode(code) ? code : '', wish };
}

/** Whether a path names a session by what any page of another port has sent along. */
export function isByCookie(text: string): boolean {
  return text.startsWith(BY_COOKIE);
}
