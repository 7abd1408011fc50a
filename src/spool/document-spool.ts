import type { PrintedPage } from '../print/printed-page.js';
import type { DocumentFacts, SpooledDocument } from './spooled-document.js';

interface SpoolLimits {
  readonly documents: number;
  readonly bytes: number;
  /** Older documents are removed, opened or not. */
  readonly milliseconds: number;
}

interface Kept {
  readonly facts: DocumentFacts;
  /** JSON of its pages. */
  readonly content: Buffer;
  wasRead: boolean;
}

/**
 * The documents of a printer, in memory, until they are too old. Documents that somebody has opened make room for others; those that
 * nobody has opened do not: the printer is not ready then.
 */
export class DocumentSpool {
  readonly #limits: SpoolLimits;
  readonly #now: () => number;
  readonly #kept = new Map<number, Kept>();
  readonly #watchers = new Set<(facts: DocumentFacts) => void>();
  #bytes = 0;

  constructor(limits: SpoolLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Whether another document may begin. */
  get hasRoom(): boolean {
    this.#removeOld();
    const { documents, bytes } = this.#limits;
    const unread = [...this.#kept.values()].filter(({ wasRead }) => !wasRead);
    return unread.length < documents && unread.reduce((sum, { content }) => sum + content.length, 0) < bytes;
  }

  /** From the newest to the oldest. */
  list(): readonly DocumentFacts[] {
    this.#removeOld();
    return [...this.#kept.values()].map(({ facts }) => facts).reverse();
  }

  /** @returns whether there was room for it */
  add(facts: DocumentFacts, pages: readonly PrintedPage[]): boolean {
    this.#removeOld();
    const content = Buffer.from(JSON.stringify(pages));
    if (!this.#makeRoom(content.length)) return false;
    this.#kept.set(facts.number, { facts, content, wasRead: false });
    this.#bytes += content.length;
    for (const tell of this.#watchers) tell(facts);
    return true;
  }

  /** Whoever reads a document has it: it may make room for others. */
  read(number: number): SpooledDocument | undefined {
    this.#removeOld();
    const kept = this.#kept.get(number);
    if (kept === undefined) return undefined;
    kept.wasRead = true;
    return { facts: kept.facts, pages: JSON.parse(kept.content.toString()) };
  }

  /** Tells of documents that are added from now on. @returns a function that ends it */
  watch(tell: (facts: DocumentFacts) => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  #makeRoom(bytes: number): boolean {
    const most = this.#limits;
    const isFull = () => this.#kept.size >= most.documents || this.#bytes + bytes > most.bytes;
    for (const { facts, wasRead } of [...this.#kept.values()]) {
      if (!isFull()) break;
      if (wasRead) this.#remove(facts.number);
    }
    return !isFull();
  }

  #removeOld(): void {
    const oldest = this.#now() - this.#limits.milliseconds;
    for (const { facts } of [...this.#kept.values()]) {
      if (facts.printed < oldest) this.#remove(facts.number);
    }
  }

  #remove(number: number): void {
    this.#bytes -= this.#kept.get(number)?.content.length ?? 0;
    this.#kept.delete(number);
  }
}
