import { setImmediate } from 'node:timers/promises';

const MILLISECONDS_A_TURN = 8;

/** Lets work on up to 100,000 lines yield to the event loop at intervals. */
export class LineTurns {
  #began = performance.now();

  /** Check for each line; if true, await `next()`. */
  get isOver(): boolean {
    return performance.now() - this.#began > MILLISECONDS_A_TURN;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
