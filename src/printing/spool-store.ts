import type { PrintedPage } from '../tn3270/print/printed-page.js';

export interface StoredDocument {
  readonly facts: DocumentFacts;
  readonly bytes: number;
  readonly wasRead: boolean;
}

export interface SpoolStore {
  /** Stores all or nothing. @throws Error if the document cannot be stored */
  put(facts: DocumentFacts, content: Buffer): Promise<void>;
  get(number: number): Promise<Buffer | undefined>;
  markRead(number: number): Promise<void>;
  remove(number: number): Promise<void>;
}

/** For printers of sessions: documents end with the session. */
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

export interface DocumentFacts {
  /** Consecutive number per printer; continues after a restart after the highest stored number. */
  readonly number: number;
  readonly printed: number;
  readonly pages: number;
  /** False if the session ended during the document. */
  readonly isComplete: boolean;
}

export interface SpooledDocument {
  readonly facts: DocumentFacts;
  readonly pages: readonly PrintedPage[];
}
