/** The time, and when the event loop has looked at everybody else. */
interface TurnClock {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  readonly nextTurn: (run: () => void) => void;
}

/** Carries work on as long as `mayGoOn`, one step at least. @returns whether nothing of it is left */
type Work = (mayGoOn: () => boolean) => boolean;

/** How long one peer is worked for before the others have their turn. */
export const MILLISECONDS_A_PEER = 4;
/** How long all of them are worked for before the event loop looks at everything else. */
export const MILLISECONDS_A_TURN = 12;

/**
 * Shares a thread among peers that can each send more than they ought to: who is not ready within its time waits in line
 * behind the others.
 */
export class FairTurns {
  static readonly ofThisProcess = new FairTurns({ now: () => performance.now(), nextTurn: (run) => setImmediate(run) });

  readonly #clock: TurnClock;
  /** In the order of their turns. */
  readonly #waiting = new Set<Work>();
  #spent = 0;
  #isScheduled = false;

  constructor(clock: TurnClock) {
    this.#clock = clock;
  }

  /**
   * Works at once where nobody waits and this turn has time left; what is left then, in later turns.
   * @returns whether all of it is done
   */
  run(work: Work): boolean {
    const isDone = this.#waiting.size === 0 && this.#spent < MILLISECONDS_A_TURN && this.#perform(work);
    if (!isDone) this.#waiting.add(work);
    this.#schedule();
    return isDone;
  }

  leave(work: Work): void {
    this.#waiting.delete(work);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.nextTurn(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isScheduled = false;
    this.#spent = 0;
    let left = this.#waiting.size;
    for (const work of this.#waiting) {
      if (left-- === 0 || this.#spent >= MILLISECONDS_A_TURN) break;
      this.#waiting.delete(work);
      if (!this.#perform(work)) this.#waiting.add(work);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  #perform(work: Work): boolean {
    const start = this.#clock.now();
    try {
      return work(() => this.#clock.now() - start < MILLISECONDS_A_PEER);
    } finally {
      this.#spent += this.#clock.now() - start;
    }
  }
}
