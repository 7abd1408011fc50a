import { ServiceError } from '../../lib/errors.js';
import type { StopSignal } from '../../lib/stop-signal.js';

/** `holds`: the condition became true. `aborted`: the caller cancelled the wait. */
export type WaitEnd = 'holds' | 'timedOut' | 'hostGone' | 'aborted';

export interface Wait {
  readonly signal?: StopSignal | undefined;
  readonly withinMilliseconds?: number | undefined;
}

const MOST_WAITERS = 1_000;

/** The longest time of a timer, about 25 days. */
const LONGEST_MILLISECONDS = 0x7fff_ffff;

/** True if the condition holds. A number: check again after this many milliseconds without changes. */
export type Look = () => boolean | number;

/** Waits for changes of a host session. Conditions are checked after `tell`, without polling. */
export class Waiters {
  readonly #looks = new Set<() => void>();
  readonly #isGone: () => boolean;

  constructor(isGone: () => boolean) {
    this.#isGone = isGone;
  }

  get size(): number {
    return this.#looks.size;
  }

  /** Checks all conditions. An exception in a condition ends only its own wait. */
  tell(): void {
    for (const look of [...this.#looks]) look();
  }

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY if there are too many waits; exceptions of `holds` */
  async wait(holds: Look, { signal, withinMilliseconds }: Wait): Promise<WaitEnd> {
    const now = this.#endOf(holds(), signal);
    if (now !== undefined) return now;
    if (withinMilliseconds !== undefined && withinMilliseconds <= 0) return 'timedOut';
    if (this.#looks.size >= MOST_WAITERS)
      throw new ServiceError('SVC_ERR_SERVICE_BUSY', {
        detail: `${MOST_WAITERS} requests are already waiting for this host session`,
      });
    return new Promise((resolve, reject) => {
      let again: NodeJS.Timeout | undefined;
      const leave = () => {
        this.#looks.delete(look);
        clearTimeout(again);
        clearTimeout(deadline);
        signal?.removeEventListener('abort', look);
      };
      const end = (how: WaitEnd) => {
        leave();
        resolve(how);
      };
      const look = () => {
        clearTimeout(again);
        try {
          const seen = holds();
          const how = this.#endOf(seen, signal);
          if (how !== undefined) end(how);
          else if (typeof seen === 'number') again = setTimeout(look, seen);
        } catch (error) {
          leave();
          reject(error);
        }
      };
      const deadline =
        withinMilliseconds === undefined
          ? undefined
          : setTimeout(() => end('timedOut'), Math.min(withinMilliseconds, LONGEST_MILLISECONDS));
      this.#looks.add(look);
      signal?.addEventListener('abort', look);
      look();
    });
  }

  #endOf(seen: boolean | number, signal: StopSignal | undefined): WaitEnd | undefined {
    if (signal?.aborted === true) return 'aborted';
    if (seen === true) return 'holds';
    return this.#isGone() ? 'hostGone' : undefined;
  }
}
