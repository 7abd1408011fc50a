import type { PrintedPage } from '../print/printed-page.js';

/** What is told of a document without opening it. */
export interface DocumentFacts {
  /** 1, 2, 3 … of its printer, since the server was started. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly printed: number;
  readonly pages: number;
  /** False: the session ended in the middle of it. */
  readonly isComplete: boolean;
}

export interface SpooledDocument {
  readonly facts: DocumentFacts;
  readonly pages: readonly PrintedPage[];
}
