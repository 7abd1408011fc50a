import { setImmediate } from 'node:timers/promises';

/** How long a document is worked on before everybody else has a turn. */
const MILLISECONDS_A_TURN = 8;

/** Work on the lines of a document, of which there may be 100,000: lets everybody else have a turn where this one has taken long enough. */
export class LineTurns {
  #began = performance.now();

  /** Asked for each line. */
  get isOver(): boolean {
    return performance.now() - this.#began > MILLISECONDS_A_TURN;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
