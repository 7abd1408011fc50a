import { ServiceError } from '../errors.js';
import { addressGroupOf } from './address-group.js';
import type { BrowserSession } from './browser-session.js';
import { newSessionCode } from './session-code.js';
import type { SessionPlace } from './session-facts.js';

export interface SessionLimits {
  /** Sessions in all. */
  readonly sessions: number;
}

export interface LineSessionLimits {
  readonly sessions: number;
  readonly sessionsPerAddress: number;
}

interface Entry {
  readonly session: BrowserSession;
  /** The value of the cookie of the browser that began it. */
  readonly browser: string;
  /** The browser has sent the cookie back once: from then on it must. */
  requiresCookie: boolean;
  /** Codes that change with each page (SESSION-CODE); the last two lead here. */
  changingCodes: string[];
}

const RETRY_AFTER_SECONDS = '30';
const CODES_KEPT = 2;

/** Finds sessions by their codes, and says whether there may be one more. */
export class SessionRegistry {
  readonly #limits: SessionLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #perLine = new Map<string, number>();
  readonly #perAddress = new Map<string, number>();
  /** Each cookie value: whose sessions it is good for, and how many there are. */
  readonly #browsers = new Map<string, { readonly user: string; sessions: number }>();
  #count = 0;
  #stopping = false;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#count;
  }

  /**
   * Whether one more may begin.
   * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING
   */
  checkAdmission(line: string, address: string, limits: LineSessionLimits): void {
    if (this.#stopping) throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
    const full =
      (this.#count >= this.#limits.sessions && 'the server') ||
      ((this.#perLine.get(line) ?? 0) >= limits.sessions && 'the line') ||
      ((this.#perAddress.get(`${line} ${addressGroupOf(address)}`) ?? 0) >= limits.sessionsPerAddress &&
        'this address');
    if (full === false) return;
    throw new ServiceError('SVC_ERR_SESSION_LIMIT', {
      detail: `There are as many for ${full} as there may be.`,
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }

  /**
   * The cookie of those that a browser sent which a session there may take over; undefined: none. It belongs to sessions of the
   * same user: another one may have been planted by somebody who knows it, and the session would be theirs, too. Of several it is
   * the one with sessions on the line, which would be lost otherwise.
   */
  cookieFor({ line, user }: SessionPlace, cookies: readonly string[]): string | undefined {
    const ours = cookies.filter((cookie) => this.#browsers.get(cookie)?.user === user);
    if (ours.length < 2) return ours[0];
    return ours.find((cookie) => this.findByCookie(line, cookie) !== undefined) ?? ours[0];
  }

  /**
   * Keeps a session until it ends.
   * @param cookie that the browser sent: taken where it is one of ours
   * @returns the value of the browser's cookie
   */
  add(session: BrowserSession, cookie: string | undefined): string {
    const browser = cookie !== undefined && this.#browsers.has(cookie) ? cookie : newSessionCode();
    const entry: Entry = { session, browser, requiresCookie: false, changingCodes: [] };
    const { line, address } = session.place;
    const counts: readonly (readonly [Map<string, number>, string])[] = [
      [this.#perLine, line],
      [this.#perAddress, `${line} ${addressGroupOf(address)}`],
    ];
    this.#entries.set(session.code, entry);
    this.#count++;
    for (const [map, key] of counts) map.set(key, (map.get(key) ?? 0) + 1);
    const holder = this.#browsers.get(browser) ?? { user: session.place.user, sessions: 0 };
    holder.sessions++;
    this.#browsers.set(browser, holder);
    session.whenEnded(() => {
      this.#count--;
      for (const code of [session.code, ...entry.changingCodes]) this.#entries.delete(code);
      for (const [map, key] of counts) {
        const left = (map.get(key) ?? 1) - 1;
        if (left === 0) map.delete(key);
        else map.set(key, left);
      }
      holder.sessions--;
      if (holder.sessions === 0) this.#browsers.delete(browser);
    });
    return browser;
  }

  /** The session of a code on its own line, for the browser that it belongs to; undefined for anybody else. */
  find(code: string, line: string, cookie: string | undefined): BrowserSession | undefined {
    const entry = this.#entries.get(code);
    if (entry === undefined || entry.session.place.line !== line || !entry.session.isOpen) return undefined;
    if (cookie === entry.browser) entry.requiresCookie = true;
    // one that belongs to another browser of ours was not sent by the one that began this session
    else if (entry.requiresCookie || (cookie !== undefined && this.#browsers.has(cookie))) return undefined;
    return entry.session;
  }

  /** The newest session of a browser (`++$UseCookieSession$`). */
  findByCookie(line: string, cookie: string | undefined): BrowserSession | undefined {
    if (cookie === undefined || !this.#browsers.has(cookie)) return undefined;
    let newest: string | undefined;
    for (const [code, { browser, session }] of this.#entries) {
      if (code === session.code && browser === cookie && session.place.line === line && session.isOpen) newest = code;
    }
    return newest === undefined ? undefined : this.find(newest, line, cookie);
  }

  /** The code of the next page (SESSION-CODE); the one before it is good for the message under way. */
  changeCode(session: BrowserSession): string {
    const entry = this.#entries.get(session.code);
    if (entry === undefined) return session.code;
    const code = newSessionCode();
    entry.changingCodes.push(code);
    this.#entries.set(code, entry);
    if (entry.changingCodes.length > CODES_KEPT) this.#entries.delete(entry.changingCodes.shift() ?? '');
    return code;
  }

  /** Ends every session in an orderly way; resolves when all are over. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const sessions = new Set([...this.#entries.values()].map(({ session }) => session));
    await Promise.all(
      [...sessions].map((session) => {
        const ended = new Promise<void>((resolve) => session.whenEnded(resolve));
        session.stop();
        return ended;
      }),
    );
  }
}
