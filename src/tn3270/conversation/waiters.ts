import { ServiceError } from '../../lib/errors.js';
import type { StopSignal } from '../../lib/stop-signal.js';

/** How a wait ends: what it waited for is so; its time is over; the host is gone; whoever waited gave it up. */
export type WaitEnd = 'holds' | 'timedOut' | 'hostGone' | 'aborted';

export interface Wait {
  readonly signal?: StopSignal | undefined;
  /** Undefined: for ever. */
  readonly withinMilliseconds?: number | undefined;
}

/** Waits of one conversation at the same time. */
const MOST_WAITERS = 1_000;

/** The longest that a timer can take, some 25 days. */
const LONGEST_MILLISECONDS = 0x7fff_ffff;

/** Whether something is so; a number: not yet, but after these milliseconds where nothing happens meanwhile. */
export type Look = () => boolean | number;

/** Those who wait for a host. They look when they are told that something changed, and at no other time. */
export class Waiters {
  readonly #looks = new Set<() => void>();
  readonly #isGone: () => boolean;

  /** @param isGone nothing will change any more */
  constructor(isGone: () => boolean) {
    this.#isGone = isGone;
  }

  get size(): number {
    return this.#looks.size;
  }

  /** Something changed. One that fails ends its own wait alone. */
  tell(): void {
    for (const look of [...this.#looks]) look();
  }

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY where too many wait already, and whatever `holds` throws */
  async wait(holds: Look, { signal, withinMilliseconds }: Wait): Promise<WaitEnd> {
    const now = this.#endOf(holds(), signal);
    if (now !== undefined) return now;
    if (withinMilliseconds !== undefined && withinMilliseconds <= 0) return 'timedOut';
    if (this.#looks.size >= MOST_WAITERS)
      throw new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: `${MOST_WAITERS} wait for this host session already` });
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
