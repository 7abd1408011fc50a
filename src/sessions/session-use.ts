import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';

/** Characters of the name that a user gives a session. */
const LONGEST_SESSION_NAME = 40;

/** When a session was begun and used, and what its user calls it. Times are those of `performance.now()`. */
export class SessionUse {
  readonly begun = performance.now();
  readonly #idleMilliseconds: number;
  #last = this.begun;
  #closed = 0;
  #name = '';

  /** @param idleMilliseconds after which an unused session ends */
  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** When its user sent the last message. */
  get last(): number {
    return this.#last;
  }

  note(): void {
    this.#last = performance.now();
  }

  /** Since its user sent the last message. */
  get unusedMilliseconds(): number {
    return performance.now() - this.#last;
  }

  /** A page was closed. */
  noteClosed(): void {
    this.#closed = performance.now();
  }

  /** Since a page was closed last. */
  get closedMilliseconds(): number {
    return performance.now() - this.#closed;
  }

  /** Until it ends unless its user sends something; undefined: never. */
  get remainingMilliseconds(): number | undefined {
    if (this.#idleMilliseconds === Number.MAX_SAFE_INTEGER) return undefined;
    return Math.max(0, this.#idleMilliseconds - this.unusedMilliseconds);
  }

  /** The whole of that time; undefined: never. */
  get idleMilliseconds(): number | undefined {
    return this.#idleMilliseconds === Number.MAX_SAFE_INTEGER ? undefined : this.#idleMilliseconds;
  }

  /** Given by its user; empty: none. */
  get name(): string {
    return this.#name;
  }

  /** @returns the name as it is kept; or in words why it is none */
  rename(written: string): ReadOutcome<string> {
    const name = written.replace(/\s+/gu, ' ').trim();
    if ([...name].length > LONGEST_SESSION_NAME) return readFault(`has more than ${LONGEST_SESSION_NAME} characters`);
    // neither control characters nor what turns the direction of the text around it
    if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(name)) return readFault('holds a character that cannot be shown');
    this.#name = name;
    return readAs(name);
  }
}
