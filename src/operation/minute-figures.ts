/** What happened within one minute. */
export interface MinuteFigure {
  /** When it began: milliseconds since 1970. */
  readonly at: number;
  /** The most that were seen at a time. */
  readonly sessions: number;
  /** Answered, those that were refused too. */
  readonly requests: number;
}

interface MinuteFiguresOptions {
  /** How many there are now. */
  readonly sessions: () => number;
  /** Milliseconds since 1970, by a clock that nobody sets back. */
  readonly now: () => number;
}

const MINUTE_MILLISECONDS = 60_000;
const KEPT_MINUTES = 60;
const LOOK_MILLISECONDS = 5_000;

/** Figures of the last hour, minute by minute, kept in memory. */
export class MinuteFigures {
  readonly #options: MinuteFiguresOptions;
  readonly #minutes: { readonly at: number; sessions: number; requests: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MinuteFiguresOptions) {
    this.#options = options;
  }

  /** Looks at the sessions every few seconds from now on. Keeps no process alive. */
  start(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MILLISECONDS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  countRequest(): void {
    this.#current().requests++;
  }

  /** The oldest first; the last one is the minute that runs now. */
  get lastHour(): readonly MinuteFigure[] {
    this.#look();
    return this.#minutes.map((minute) => ({ ...minute }));
  }

  #look(): void {
    const minute = this.#current();
    minute.sessions = Math.max(minute.sessions, this.#options.sessions());
  }

  #current() {
    const now = this.#options.now();
    const at = now - (now % MINUTE_MILLISECONDS);
    const last = this.#minutes.at(-1);
    if (last !== undefined && last.at >= at) return last;
    const minute = { at, sessions: 0, requests: 0 };
    this.#minutes.push(minute);
    // a machine that slept has minutes that nobody counted
    const oldest = at - (KEPT_MINUTES - 1) * MINUTE_MILLISECONDS;
    while (this.#minutes[0] !== undefined && this.#minutes[0].at < oldest) this.#minutes.shift();
    return minute;
  }
}
