import type { SourcePlace } from '../syntax.js';

/** What is wrong in a MAP$ or TOVAR$ instruction, and where. */
export interface MapFault extends SourcePlace {
  readonly message: string;
}
