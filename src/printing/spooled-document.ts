import type { PrintedPage } from '../tn3270/print/printed-page.js';

/** What is told of a document without opening it. */
export interface DocumentFacts {
  /** 1, 2, 3 … of its printer; after a restart, behind those that are kept. */
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
