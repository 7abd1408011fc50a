import type { PrintedPage } from '../tn3270/print/printed-page.js';

/** A document that was kept when the store was opened. */
export interface StoredDocument {
  readonly facts: DocumentFacts;
  readonly bytes: number;
  readonly wasRead: boolean;
}

/** Where a spool keeps the pages of its documents, by their numbers. */
export interface SpoolStore {
  /** @throws Error where it cannot be kept: nothing of it is left then */
  put(facts: DocumentFacts, content: Buffer): Promise<void>;
  /** @throws Error where it is not as it was */
  get(number: number): Promise<Buffer | undefined>;
  markRead(number: number): Promise<void>;
  remove(number: number): Promise<void>;
}

/** For printers of sessions: it ends with the session. */
export class MemorySpoolStore implements SpoolStore {
  readonly #contents = new Map<number, Buffer>();

  async put({ number }: DocumentFacts, content: Buffer): Promise<void> {
    this.#contents.set(number, content);
  }

  async get(number: number): Promise<Buffer | undefined> {
    return this.#contents.get(number);
  }

  async markRead(): Promise<void> {}

  async remove(number: number): Promise<void> {
    this.#contents.delete(number);
  }
}

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
