export interface MinuteFigure {
  readonly at: number;
  readonly sessions: number;
  /** Answered requests, including rejected ones. */
  readonly requests: number;
}

interface MinuteFiguresOptions {
  readonly sessions: () => number;
  /** Milliseconds since 1970, by a monotonic clock. */
  readonly now: () => number;
}

const MINUTE_MILLISECONDS = 60_000;
const KEPT_MINUTES = 60;
const LOOK_MILLISECONDS = 5_000;

export class MinuteFigures {
  readonly #options: MinuteFiguresOptions;
  readonly #minutes: { readonly at: number; sessions: number; requests: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MinuteFiguresOptions) {
    this.#options = options;
  }

  /** The timer does not keep the process alive. */
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

  /** Oldest first; the last one is the current minute. */
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
    // minutes are missing if the machine was suspended
    const oldest = at - (KEPT_MINUTES - 1) * MINUTE_MILLISECONDS;
    while (this.#minutes[0] !== undefined && this.#minutes[0].at < oldest) this.#minutes.shift();
    return minute;
  }
}
