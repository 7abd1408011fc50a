import { ServiceError } from '../errors.js';
import { addressGroupOf } from './address-group.js';
import type { BrowserSession } from './browser-session.js';
import { newSessionCode } from './session-code.js';

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
  /** Which of all sessions it is; the newest has the highest. */
  readonly number: number;
  /** The value of its cookie. */
  readonly cookie: string;
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
  /** By the values of their cookies. */
  readonly #byCookie = new Map<string, Entry>();
  #count = 0;
  #begun = 0;
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
   * Keeps a session until it ends.
   * @returns the value of its cookie: a new one, for any other may be known to somebody else
   */
  add(session: BrowserSession): string {
    const cookie = newSessionCode();
    const entry: Entry = { session, number: ++this.#begun, cookie, requiresCookie: false, changingCodes: [] };
    const { line, address } = session.place;
    const counts: readonly (readonly [Map<string, number>, string])[] = [
      [this.#perLine, line],
      [this.#perAddress, `${line} ${addressGroupOf(address)}`],
    ];
    this.#entries.set(session.code, entry);
    this.#count++;
    for (const [map, key] of counts) map.set(key, (map.get(key) ?? 0) + 1);
    this.#byCookie.set(cookie, entry);
    session.whenEnded(() => {
      this.#count--;
      for (const code of [session.code, ...entry.changingCodes]) this.#entries.delete(code);
      for (const [map, key] of counts) {
        const left = (map.get(key) ?? 1) - 1;
        if (left === 0) map.delete(key);
        else map.set(key, left);
      }
      this.#byCookie.delete(cookie);
    });
    return cookie;
  }

  /**
   * The session of a code on its own line, for the browser that it belongs to; undefined for anybody else.
   * @param cookies values that came with the request
   */
  find(code: string, line: string, cookies: readonly string[]): BrowserSession | undefined {
    const entry = this.#entries.get(code);
    if (entry === undefined || entry.session.place.line !== line || !entry.session.isOpen) return undefined;
    if (cookies.includes(entry.cookie)) entry.requiresCookie = true;
    // a browser that sends the cookies of other sessions would send that of this one, too
    else if (entry.requiresCookie || cookies.some((cookie) => this.isOpen(cookie))) return undefined;
    return entry.session;
  }

  /** The newest session that one of the cookies belongs to (`++$UseCookieSession$`). */
  findByCookie(line: string, cookies: readonly string[]): BrowserSession | undefined {
    let newest: Entry | undefined;
    for (const cookie of cookies) {
      const entry = this.#byCookie.get(cookie);
      if (entry === undefined || entry.session.place.line !== line || !entry.session.isOpen) continue;
      if (entry.number > (newest?.number ?? 0)) newest = entry;
    }
    if (newest !== undefined) newest.requiresCookie = true;
    return newest?.session;
  }

  /** Whether a cookie belongs to a session that is not over. */
  isOpen(cookie: string): boolean {
    return this.#byCookie.has(cookie);
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
