import { ServiceError } from '../errors.js';
import { addressGroupOf } from './address-group.js';
import type { BrowserSession } from './browser-session.js';
import { newSessionCode } from './session-code.js';
import type { SessionPlace } from './session-facts.js';
import { SessionStarts } from './session-starts.js';

export interface SessionLimits {
  /** Sessions in all. */
  readonly sessions: number;
}

export interface LineSessionLimits {
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** Begun in a minute. */
  readonly sessionStartsPerAddress: number;
  /** Unused for this long, a session makes room for another one. */
  readonly sessionIdleSeconds: number;
}

interface Entry {
  readonly session: BrowserSession;
  /** The value of the cookie of the browser that began it. */
  readonly browser: string;
  /** The browser has sent the cookie back once: from then on it must. */
  requiresCookie: boolean;
  /** Codes that change with each page (SESSION-CODE); the last two lead here. */
  changingCodes: string[];
  readonly idleMilliseconds: number;
  /** Counts it no longer. */
  readonly makeRoom: () => void;
}

const RETRY_AFTER_SECONDS = 30;
const CODES_KEPT = 2;
/** Sessions that are leaving to make room for others: they still have their hosts for some seconds. */
const MOST_DISPLACED = 50;

/** Finds sessions by their codes, and says whether there may be one more. */
export class SessionRegistry {
  readonly #limits: SessionLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #perLine = new Map<string, number>();
  readonly #perAddress = new Map<string, number>();
  readonly #starts = new SessionStarts();
  /** Each cookie value: whose sessions it is good for, and how many there are. */
  readonly #browsers = new Map<string, { readonly user: string; sessions: number }>();
  #count = 0;
  #displaced = 0;
  #stopping = false;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#count;
  }

  /**
   * Lets one more begin, in the place of an idle one where there is no other.
   * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING
   */
  admit(line: string, address: string, limits: LineSessionLimits): void {
    if (this.#stopping) throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
    const client = clientOn(line, address);
    const now = performance.now();
    if ((this.#perAddress.get(client) ?? 0) >= limits.sessionsPerAddress) throw tooMany('this address');
    const wait = this.#starts.wait(client, limits.sessionStartsPerAddress, now);
    if (wait > 0) throw tooMany('this address in a minute', Math.ceil(wait / 1_000));
    // before there is anything to look for: looking takes its time, too
    this.#starts.count(client, limits.sessionStartsPerAddress, now);
    const lineIsFull = (this.#perLine.get(line) ?? 0) >= limits.sessions;
    if (lineIsFull && !this.#displaceIdle(now, line)) throw tooMany('the line');
    if (this.#count >= this.#limits.sessions && !this.#displaceIdle(now)) throw tooMany('the server');
  }

  /** Ends the idle session that is missed least. @returns whether there was one */
  #displaceIdle(now: number, line?: string): boolean {
    if (this.#displaced >= MOST_DISPLACED) return false;
    let least: Entry | undefined;
    for (const entry of new Set(this.#entries.values())) {
      const { session, idleMilliseconds } = entry;
      if (line !== undefined && session.place.line !== line) continue;
      if (!session.isOpen || now - session.lastUse < idleMilliseconds) continue;
      if (least === undefined || this.#isMissedLess(entry, least)) least = entry;
    }
    if (least === undefined) return false;
    const { session, makeRoom } = least;
    makeRoom();
    this.#displaced++;
    session.whenEnded(() => this.#displaced--);
    session.displace();
    return true;
  }

  /** First those that no page is connected to, then those of the address with the most, then the one unused longest. */
  #isMissedLess({ session }: Entry, { session: other }: Entry): boolean {
    if (session.isWatched !== other.isWatched) return other.isWatched;
    const [count, otherCount] = [this.#countOf(session), this.#countOf(other)];
    return count === otherCount ? session.lastUse < other.lastUse : count > otherCount;
  }

  /** Sessions of the address of a session. */
  #countOf({ place: { line, address } }: BrowserSession): number {
    return this.#perAddress.get(clientOn(line, address)) ?? 0;
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
   * @param limits of its line
   * @returns the value of the browser's cookie
   */
  add(session: BrowserSession, cookie: string | undefined, limits: LineSessionLimits): string {
    const browser = cookie !== undefined && this.#browsers.has(cookie) ? cookie : newSessionCode();
    const entry: Entry = {
      session,
      browser,
      requiresCookie: false,
      changingCodes: [],
      idleMilliseconds: limits.sessionIdleSeconds * 1_000,
      makeRoom: this.#countIn(session.place),
    };
    this.#entries.set(session.code, entry);
    const holder = this.#browsers.get(browser) ?? { user: session.place.user, sessions: 0 };
    holder.sessions++;
    this.#browsers.set(browser, holder);
    session.whenEnded(() => {
      entry.makeRoom();
      for (const code of [session.code, ...entry.changingCodes]) this.#entries.delete(code);
      holder.sessions--;
      if (holder.sessions === 0) this.#browsers.delete(browser);
    });
    return browser;
  }

  /** Counts one more session. @returns what counts it no longer */
  #countIn({ line, address }: SessionPlace): () => void {
    const counts: readonly (readonly [Map<string, number>, string])[] = [
      [this.#perLine, line],
      [this.#perAddress, clientOn(line, address)],
    ];
    this.#count++;
    for (const [map, key] of counts) map.set(key, (map.get(key) ?? 0) + 1);
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      this.#count--;
      for (const [map, key] of counts) {
        const left = (map.get(key) ?? 1) - 1;
        if (left === 0) map.delete(key);
        else map.set(key, left);
      }
    };
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

/** What counts as one client of a line. */
function clientOn(line: string, address: string): string {
  return `${line} ${addressGroupOf(address)}`;
}

function tooMany(whose: string, retryAfterSeconds = RETRY_AFTER_SECONDS): ServiceError {
  return new ServiceError('SVC_ERR_SESSION_LIMIT', {
    detail: `There are as many for ${whose} as there may be.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
