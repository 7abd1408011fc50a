import type { Reason } from '../lib/locale.js';

const LONGEST_SESSION_NAME = 40;

/** Start, last use and name of a session. Times are `performance.now()`. */
export class SessionUse {
  readonly begun = performance.now();
  readonly #idleMilliseconds: number;
  #last = this.begun;
  #closed = 0;
  #name = '';

  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  get last(): number {
    return this.#last;
  }

  note(): void {
    this.#last = performance.now();
  }

  get unusedMilliseconds(): number {
    return performance.now() - this.#last;
  }

  noteClosed(): void {
    this.#closed = performance.now();
  }

  get closedMilliseconds(): number {
    return performance.now() - this.#closed;
  }

  /** Time until the session ends if the user sends nothing; undefined if it never ends. */
  get remainingMilliseconds(): number | undefined {
    if (this.#idleMilliseconds === Number.MAX_SAFE_INTEGER) return undefined;
    return Math.max(0, this.#idleMilliseconds - this.unusedMilliseconds);
  }

  get idleMilliseconds(): number | undefined {
    return this.#idleMilliseconds === Number.MAX_SAFE_INTEGER ? undefined : this.#idleMilliseconds;
  }

  get name(): string {
    return this.#name;
  }

  /** @returns why the name was not changed */
  rename(written: string): Reason | undefined {
    const name = written.replace(/\s+/gu, ' ').trim();
    if ([...name].length > LONGEST_SESSION_NAME) {
      return { code: 'session.longName', values: { most: LONGEST_SESSION_NAME } };
    }
    // neither control characters nor characters that change the text direction
    if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(name)) return { code: 'session.name' };
    this.#name = name;
    return undefined;
  }
}
