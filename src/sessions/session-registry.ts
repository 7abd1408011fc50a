import { ServiceError } from '../lib/errors.js';
import { addressGroupOf } from '../lib/network/addresses.js';
import type { BrowserSession } from './browser-session.js';
import { newSessionCode } from './session-code.js';
import { RELOAD_MILLISECONDS, type SessionFacts } from './session-facts.js';

/** Addresses remembered; past them the one that began a session longest ago is forgotten. */
const MOST_ADDRESSES = 10_000;
const MINUTE = 60_000;

/** Counts how many sessions an address may begin: as many as it may in a minute at once, then one after the other. */
class SessionStarts {
  /** By address, the one that began a session last at the end: how many it may begin as of when. */
  readonly #allowances = new Map<string, { readonly left: number; readonly at: number }>();

  /** Milliseconds until the address may begin one more; 0: it may now. */
  wait(address: string, perMinute: number, now: number): number {
    return Math.max(0, ((1 - this.#leftOf(address, perMinute, now)) * MINUTE) / perMinute);
  }

  count(address: string, perMinute: number, now: number): void {
    const left = this.#leftOf(address, perMinute, now) - 1;
    this.#allowances.delete(address);
    this.#allowances.set(address, { left, at: now });
    const [oldest] = this.#allowances.keys();
    if (this.#allowances.size > MOST_ADDRESSES && oldest !== undefined) this.#allowances.delete(oldest);
  }

  #leftOf(address: string, perMinute: number, now: number): number {
    const known = this.#allowances.get(address);
    if (known === undefined) return perMinute;
    return Math.min(perMinute, known.left + ((now - known.at) * perMinute) / MINUTE);
  }
}

export interface SessionLimits {
  /** Sessions in all. */
  readonly sessions: number;
  /** In which a page is loaded again: for that long nobody takes the place of a session whose page was closed. */
  readonly reloadMilliseconds?: number;
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
  /** Whom it counts for. */
  readonly client: string;
  /** Which of all sessions it is; the newest has the highest. */
  readonly number: number;
  /** The value of its cookie. */
  readonly cookie: string;
  /** The browser has sent the cookie back once: from then on it must. */
  requiresCookie: boolean;
  /** Codes that change with each page (SESSION-CODE); the last two lead here. */
  changingCodes: string[];
  readonly idleMilliseconds: number;
  /** Counts it no longer. */
  readonly makeRoom: () => void;
}

const RETRY_AFTER_SECONDS = 30;
/** Codes of pages of a session that are valid at a time. */
export const CODES_KEPT = 2;
/** Sessions that are leaving to make room for others: they still have their hosts for some seconds. */
const MOST_DISPLACED = 50;

/** Finds sessions by their codes, and says whether there may be one more. */
export class SessionRegistry {
  readonly #limits: SessionLimits;
  readonly #node: string | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #perLine = new Map<string, number>();
  readonly #perAddress = new Map<string, number>();
  readonly #starts = new SessionStarts();
  /** By the values of their cookies. */
  readonly #byCookie = new Map<string, Entry>();
  /** Lines at which no further sessions begin. */
  readonly #drained = new Set<string>();
  #count = 0;
  #begun = 0;
  #displaced = 0;
  #isDraining = false;
  #stopping = false;

  /** @param node of this server; not given: there is only one */
  constructor(limits: SessionLimits, node?: string) {
    this.#limits = limits;
    this.#node = node;
  }

  get size(): number {
    return this.#count;
  }

  /** Those of browsers that are not over. */
  get sessions(): readonly BrowserSession[] {
    return [...this.#byCookie.values()].map(({ session }) => session);
  }

  /** Sessions on a line, with those that one request walks. */
  sessionsOn(line: string): number {
    return this.#perLine.get(line) ?? 0;
  }

  /** From now on no sessions begin at a line; requests may still walk one of their own. */
  refuseNew(line: string): void {
    this.#drained.add(line);
  }

  takeNew(line: string): void {
    this.#drained.delete(line);
  }

  /** From now on no sessions begin at any line, until the end. */
  drain(): void {
    this.#isDraining = true;
  }

  /**
   * Lets one more begin, in the place of an idle one where there is no other.
   * @throws ServiceError SVC_ERR_LINE_DRAINED, SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING
   */
  admit(line: string, address: string, limits: LineSessionLimits): void {
    if (this.#isDraining || this.#drained.has(line)) {
      throw new ServiceError('SVC_ERR_LINE_DRAINED', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
    }
    this.#refuseFull(line, address, limits);
    const client = clientOn(line, address);
    const now = performance.now();
    const wait = this.#starts.wait(client, limits.sessionStartsPerAddress, now);
    if (wait > 0) throw tooMany('this address in a minute', Math.ceil(wait / 1_000));
    // before there is anything to look for: looking takes its time, too
    this.#starts.count(client, limits.sessionStartsPerAddress, now);
    this.#makeRoom(line, limits);
  }

  #refuseFull(line: string, address: string, limits: LineSessionLimits): void {
    if (this.#stopping) throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
    const client = clientOn(line, address);
    if ((this.#perAddress.get(client) ?? 0) < limits.sessionsPerAddress) return;
    // what an address has closed and waits for nobody makes room for what it begins
    const isLeft = (entry: Entry) => entry.client === client && this.#isLeft(entry);
    if (!this.#displace(isLeft)) throw tooMany('this address');
  }

  #makeRoom(line: string, limits: LineSessionLimits): void {
    const now = performance.now();
    const lineIsFull = (this.#perLine.get(line) ?? 0) >= limits.sessions;
    if (lineIsFull && !this.#displaceIdle(now, line)) throw tooMany('the line');
    if (this.#count >= this.#limits.sessions && !this.#displaceIdle(now)) throw tooMany('the server');
  }

  /** Ends the session that is missed least, of those that are idle and those that were closed. @returns whether there was one */
  #displaceIdle(now: number, line?: string): boolean {
    return this.#displace((entry) => {
      const { session, idleMilliseconds } = entry;
      if (line !== undefined && session.facts.line !== line) return false;
      return now - session.use.last >= idleMilliseconds || this.#isLeft(entry);
    });
  }

  /** Its last page was closed, and is not only loaded again. */
  #isLeft({ session: { awayMilliseconds } }: Entry): boolean {
    return awayMilliseconds > 0 && awayMilliseconds >= (this.#limits.reloadMilliseconds ?? RELOAD_MILLISECONDS);
  }

  #displace(mayEnd: (entry: Entry) => boolean): boolean {
    if (this.#displaced >= MOST_DISPLACED) return false;
    let least: Entry | undefined;
    for (const entry of new Set(this.#entries.values())) {
      if (!entry.session.isOpen || !mayEnd(entry)) continue;
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
    return count === otherCount ? session.use.last < other.use.last : count > otherCount;
  }

  /** Sessions of the address of a session. */
  #countOf({ facts: { line, address } }: BrowserSession): number {
    return this.#perAddress.get(clientOn(line, address)) ?? 0;
  }

  /**
   * Keeps a session until it ends.
   * @param limits of its line
   * @returns the value of its cookie: a new one, for any other may be known to somebody else
   */
  add(session: BrowserSession, limits: LineSessionLimits): string {
    const cookie = newSessionCode();
    const entry: Entry = {
      session,
      client: clientOn(session.facts.line, session.facts.address),
      number: ++this.#begun,
      cookie,
      requiresCookie: false,
      changingCodes: [],
      idleMilliseconds: limits.sessionIdleSeconds * 1_000,
      makeRoom: this.#countIn(session.facts),
    };
    this.#entries.set(session.code, entry);
    this.#byCookie.set(cookie, entry);
    session.whenEnded(() => {
      entry.makeRoom();
      for (const code of [session.code, ...entry.changingCodes]) this.#entries.delete(code);
      this.#byCookie.delete(cookie);
    });
    return cookie;
  }

  /**
   * Counts a host session that has no code: a request walks it. Where there is no other place, an idle session makes room.
   * @returns what counts it no longer
   * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING
   */
  occupy(facts: SessionFacts, limits: LineSessionLimits): () => void {
    this.#refuseFull(facts.line, facts.address, limits);
    this.#makeRoom(facts.line, limits);
    return this.#countIn(facts);
  }

  /** Counts one more session. @returns what counts it no longer */
  #countIn({ line, address }: SessionFacts): () => void {
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

  /**
   * The session of a code on its own line, for the browser that it belongs to; undefined for anybody else.
   * @param cookies values that came with the request
   */
  find(code: string, line: string, cookies: readonly string[]): BrowserSession | undefined {
    const entry = this.#entries.get(code);
    if (entry === undefined || entry.session.facts.line !== line || !entry.session.isOpen) return undefined;
    if (cookies.includes(entry.cookie)) entry.requiresCookie = true;
    // a browser that sends the cookies of other sessions would send that of this one, too
    else if (entry.requiresCookie || cookies.some((cookie) => this.isOpen(cookie))) return undefined;
    return entry.session;
  }

  /** The sessions on a line that cookies of a browser belong to, in the order in which they began. */
  ofCookies(line: string, cookies: readonly string[]): readonly BrowserSession[] {
    const found = new Set<Entry>();
    for (const cookie of cookies) {
      const entry = this.#byCookie.get(cookie);
      if (entry === undefined || entry.session.facts.line !== line || !entry.session.isOpen) continue;
      entry.requiresCookie = true;
      found.add(entry);
    }
    return [...found].sort((one, other) => one.number - other.number).map(({ session }) => session);
  }

  /** Whether a cookie belongs to a session that is not over. */
  isOpen(cookie: string): boolean {
    return this.#byCookie.has(cookie);
  }

  /** The code of the next page (SESSION-CODE); the one before it is good for the message under way. */
  changeCode(session: BrowserSession): string {
    const entry = this.#entries.get(session.code);
    if (entry === undefined) return session.code;
    const code = newSessionCode(this.#node);
    entry.changingCodes.push(code);
    this.#entries.set(code, entry);
    if (entry.changingCodes.length > CODES_KEPT) this.#entries.delete(entry.changingCodes.shift() ?? '');
    return code;
  }

  /** Lets nobody begin one, and ends all that there are. */
  stop(): Promise<void> {
    this.#stopping = true;
    return this.endAll();
  }

  /** Ends every session in an orderly way; resolves when all are over. */
  async endAll(): Promise<void> {
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
