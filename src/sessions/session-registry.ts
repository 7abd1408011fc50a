import { ServiceError } from '../lib/errors.js';
import type { Reason } from '../lib/locale.js';
import { addressGroupOf } from '../lib/network/addresses.js';
import type { BrowserSession } from './browser-session.js';
import { newSessionCode } from './session-code.js';
import { RELOAD_MILLISECONDS, type SessionFacts } from './session-facts.js';

/** Maximum number of remembered addresses. The address with the oldest start is dropped first. */
const MOST_ADDRESSES = 10_000;
const MINUTE = 60_000;

/** Token bucket per address: a burst of `perMinute` starts, refilled evenly within a minute. */
class SessionStarts {
  /** By address, most recent start last; `left` is the number of starts that were available at time `at`. */
  readonly #allowances = new Map<string, { readonly left: number; readonly at: number }>();

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
  readonly sessions: number;
  /** Time to reload a page. Sessions with a closed page are not displaced before. */
  readonly reloadMilliseconds?: number;
}

export interface LineSessionLimits {
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  readonly sessionStartsPerAddress: number;
  /** Sessions that are unused for this time may be displaced. */
  readonly sessionIdleSeconds: number;
}

interface Entry {
  readonly session: BrowserSession;
  readonly client: string;
  readonly number: number;
  readonly cookie: string;
  /** True after the browser has sent the cookie once; from then on the cookie is mandatory. */
  requiresCookie: boolean;
  /** Codes that change with each page (SESSION-CODE). The last CODES_KEPT are valid. */
  changingCodes: string[];
  readonly idleMilliseconds: number;
  readonly makeRoom: () => void;
}

const RETRY_AFTER_SECONDS = 30;
export const CODES_KEPT = 2;
/** Maximum number of displaced sessions that have not ended yet: they keep their host sessions for some seconds. */
const MOST_DISPLACED = 50;

export class SessionRegistry {
  readonly #limits: SessionLimits;
  readonly #node: string | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #perLine = new Map<string, number>();
  readonly #perAddress = new Map<string, number>();
  readonly #starts = new SessionStarts();
  readonly #byCookie = new Map<string, Entry>();
  readonly #drained = new Set<string>();
  #count = 0;
  #begun = 0;
  #displaced = 0;
  #isDraining = false;
  #stopping = false;

  constructor(limits: SessionLimits, node?: string) {
    this.#limits = limits;
    this.#node = node;
  }

  get size(): number {
    return this.#count;
  }

  get sessions(): readonly BrowserSession[] {
    return [...this.#byCookie.values()].map(({ session }) => session);
  }

  /** Includes sessions of service requests. */
  sessionsOn(line: string): number {
    return this.#perLine.get(line) ?? 0;
  }

  /** Rejects new browser sessions on a line. Service requests may still open sessions. */
  refuseNew(line: string): void {
    this.#drained.add(line);
  }

  takeNew(line: string): void {
    this.#drained.delete(line);
  }

  /** Rejects new browser sessions on all lines until the server ends. */
  drain(): void {
    this.#isDraining = true;
  }

  /**
   * Permits a session start. If there is no room, an idle session is ended.
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
    if (wait > 0) throw tooMany('session.mostOfMinute', Math.ceil(wait / 1_000));
    // counted before the search for an idle session, because the search takes time as well
    this.#starts.count(client, limits.sessionStartsPerAddress, now);
    this.#makeRoom(line, limits);
  }

  #refuseFull(line: string, address: string, limits: LineSessionLimits): void {
    if (this.#stopping) throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
    const client = clientOn(line, address);
    if ((this.#perAddress.get(client) ?? 0) < limits.sessionsPerAddress) return;
    // sessions of this address whose pages were closed make room for its new session
    const isLeft = (entry: Entry) => entry.client === client && this.#isLeft(entry);
    if (!this.#displace(isLeft)) throw tooMany('session.mostOfAddress');
  }

  #makeRoom(line: string, limits: LineSessionLimits): void {
    const now = performance.now();
    const lineIsFull = (this.#perLine.get(line) ?? 0) >= limits.sessions;
    if (lineIsFull && !this.#displaceIdle(now, line)) throw tooMany('session.mostOfLine');
    if (this.#count >= this.#limits.sessions && !this.#displaceIdle(now)) throw tooMany('session.mostOfServer');
  }

  #displaceIdle(now: number, line?: string): boolean {
    return this.#displace((entry) => {
      const { session, idleMilliseconds } = entry;
      if (line !== undefined && session.facts.line !== line) return false;
      return now - session.use.last >= idleMilliseconds || this.#isLeft(entry);
    });
  }

  /** True if the last page was closed, and not only reloaded. */
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

  /** Order: sessions without connected page, then those of the address with the most sessions, then longest unused. */
  #isMissedLess({ session }: Entry, { session: other }: Entry): boolean {
    if (session.isWatched !== other.isWatched) return other.isWatched;
    const [count, otherCount] = [this.#countOf(session), this.#countOf(other)];
    return count === otherCount ? session.use.last < other.use.last : count > otherCount;
  }

  #countOf({ facts: { line, address } }: BrowserSession): number {
    return this.#perAddress.get(clientOn(line, address)) ?? 0;
  }

  /**
   * Registers a session until it ends.
   * @param limits of its line
   * @returns the value of its cookie; always a new one, because others may know an existing one
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
   * Counts a host session of a service request, which has no code. If necessary, an idle session makes room.
   * @returns a function that removes it from the counts
   * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_SERVICE_STOPPING
   */
  occupy(facts: SessionFacts, limits: LineSessionLimits): () => void {
    this.#refuseFull(facts.line, facts.address, limits);
    this.#makeRoom(facts.line, limits);
    return this.#countIn(facts);
  }

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

  /** Finds a session by its code, its line and the values of the browser's cookies. */
  find(code: string, line: string, cookies: readonly string[]): BrowserSession | undefined {
    const entry = this.#entries.get(code);
    if (entry === undefined || entry.session.facts.line !== line || !entry.session.isOpen) return undefined;
    if (cookies.includes(entry.cookie)) entry.requiresCookie = true;
    // a browser that sends cookies of other sessions would also send the cookie of this one
    else if (entry.requiresCookie || cookies.some((cookie) => this.isOpen(cookie))) return undefined;
    return entry.session;
  }

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

  isOpen(cookie: string): boolean {
    return this.#byCookie.has(cookie);
  }

  /** Code for the next page (SESSION-CODE). The previous code remains valid for the current message. */
  changeCode(session: BrowserSession): string {
    const entry = this.#entries.get(session.code);
    if (entry === undefined) return session.code;
    const code = newSessionCode(this.#node);
    entry.changingCodes.push(code);
    this.#entries.set(code, entry);
    if (entry.changingCodes.length > CODES_KEPT) this.#entries.delete(entry.changingCodes.shift() ?? '');
    return code;
  }

  stop(): Promise<void> {
    this.#stopping = true;
    return this.endAll();
  }

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

/** IPv6 addresses of one network count as one client. */
function clientOn(line: string, address: string): string {
  return `${line} ${addressGroupOf(address)}`;
}

function tooMany(code: Reason['code'], retryAfterSeconds = RETRY_AFTER_SECONDS): ServiceError {
  return new ServiceError('SVC_ERR_SESSION_LIMIT', {
    detail: { code },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
