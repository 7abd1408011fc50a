import { messageOf } from '../lib/text/messages.js';
import type { PrintedLine, PrintedPage } from '../tn3270/print/printed-page.js';
import { LineTurns } from './line-turns.js';
import type { DocumentFacts, SpooledDocument, SpoolStore, StoredDocument } from './spool-store.js';

/** Users and operators are warned from this share on: a full spool accepts no documents. */
export const SPOOL_WARNING_SHARE = 0.8;

interface SpoolLimits {
  readonly documents: number;
  readonly bytes: number;
  /** Older documents are removed, even if they were not opened. */
  readonly milliseconds: number;
}

interface SpoolOptions {
  readonly limits: SpoolLimits;
  readonly store: SpoolStore;
  readonly documents?: readonly StoredDocument[];
  readonly report?: (trouble: string) => void;
  readonly now?: () => number;
}

interface Kept {
  readonly facts: DocumentFacts;
  readonly bytes: number;
  wasRead: boolean;
  /** False while the document is being stored: it is not listed, but its space is reserved. */
  isThere: boolean;
}

/** Opened documents are removed to make room. A spool full of unopened ones makes the printer not ready. */
export class DocumentSpool {
  readonly #limits: SpoolLimits;
  readonly #store: SpoolStore;
  readonly #report: (trouble: string) => void;
  readonly #now: () => number;
  readonly #kept = new Map<number, Kept>();
  readonly #watchers = new Set<(facts: DocumentFacts) => void>();
  #bytes = 0;
  #lastNumber = 0;

  constructor({ limits, store, documents = [], report = () => undefined, now = Date.now }: SpoolOptions) {
    this.#limits = limits;
    this.#store = store;
    this.#report = report;
    this.#now = now;
    for (const { facts, bytes, wasRead } of documents) this.#take({ facts, bytes, wasRead, isThere: true });
    this.removeOld();
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  get hasRoom(): boolean {
    return this.unopenedShare < 1;
  }

  /** Share of the spool used by unopened documents, by number or bytes. A spool with 1 or more is full. */
  get unopenedShare(): number {
    this.removeOld();
    const { documents, bytes } = this.#limits;
    const unread = [...this.#kept.values()].filter(({ wasRead }) => !wasRead);
    return Math.max(unread.length / documents, unread.reduce((sum, kept) => sum + kept.bytes, 0) / bytes);
  }

  list(): readonly DocumentFacts[] {
    this.removeOld();
    const there = [...this.#kept.values()].filter(({ isThere }) => isThere);
    return there.map(({ facts }) => facts).reverse();
  }

  /** @returns false if there is not enough room. @throws Error if the document could not be stored */
  async add(facts: DocumentFacts, pages: readonly PrintedPage[]): Promise<boolean> {
    const content = await encodePages(pages, this.#limits.bytes);
    this.removeOld();
    if (content === undefined || !this.#makeRoom(content.length)) return false;
    const kept = { facts, bytes: content.length, wasRead: false, isThere: false };
    this.#take(kept);
    try {
      await this.#store.put(facts, content);
    } catch (error) {
      this.#forget(facts.number);
      throw error;
    }
    kept.isThere = true;
    for (const tell of this.#watchers) tell(facts);
    return true;
  }

  /** Marks the document as opened, so that it may be removed. @throws Error if it cannot be read */
  async read(number: number): Promise<SpooledDocument | undefined> {
    this.removeOld();
    const kept = this.#kept.get(number);
    const content = kept?.isThere === true ? await this.#store.get(number) : undefined;
    if (kept === undefined || content === undefined) return undefined;
    const pages = await decodePages(content);
    if (!kept.wasRead && this.#kept.has(number)) {
      kept.wasRead = true;
      await this.#tried(this.#store.markRead(number));
    }
    return { facts: kept.facts, pages };
  }

  watch(tell: (facts: DocumentFacts) => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  removeOld(): void {
    const oldest = this.#now() - this.#limits.milliseconds;
    for (const { facts, isThere } of [...this.#kept.values()]) {
      if (isThere && facts.printed < oldest) this.#remove(facts.number);
    }
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

  #take(kept: Kept): void {
    this.#kept.set(kept.facts.number, kept);
    this.#bytes += kept.bytes;
    this.#lastNumber = Math.max(this.#lastNumber, kept.facts.number);
  }

  #forget(number: number): void {
    this.#bytes -= this.#kept.get(number)?.bytes ?? 0;
    this.#kept.delete(number);
  }

  #remove(number: number): void {
    this.#forget(number);
    void this.#tried(this.#store.remove(number));
  }

  async #tried(done: Promise<void>): Promise<void> {
    await done.catch((error: unknown) => this.#report(messageOf(error)));
  }
}

const LINE_END = 0x0a;

/** JSON Lines: for each page the number of its lines, then the lines. @returns undefined if longer than `mostBytes` */
export async function encodePages(pages: readonly PrintedPage[], mostBytes: number): Promise<Buffer | undefined> {
  const turns = new LineTurns();
  const parts: Buffer[] = [];
  let bytes = 0;
  const add = (text: string) => {
    const part = Buffer.from(text);
    bytes += part.length;
    parts.push(part);
  };
  for (const page of pages) {
    let text = `${page.length}\n`;
    for (const line of page) {
      text += `${JSON.stringify(line)}\n`;
      if (!turns.isOver) continue;
      add(text);
      text = '';
      if (bytes > mostBytes) return undefined;
      await turns.next();
    }
    add(text);
    if (bytes > mostBytes) return undefined;
  }
  return Buffer.concat(parts);
}

/** @throws SyntaxError if the content is not valid */
export async function decodePages(content: Buffer): Promise<readonly PrintedPage[]> {
  const turns = new LineTurns();
  const pages: PrintedPage[] = [];
  let at = 0;
  const next = (): unknown => {
    const end = content.indexOf(LINE_END, at);
    if (end < 0) throw new SyntaxError('it is incomplete');
    const value: unknown = JSON.parse(content.toString('utf8', at, end));
    at = end + 1;
    return value;
  };
  while (at < content.length) {
    const count = next();
    if (typeof count !== 'number') throw new SyntaxError('a page does not begin with the number of its lines');
    const page: PrintedLine[] = [];
    while (page.length < count) {
      page.push(next() as PrintedLine);
      if (turns.isOver) await turns.next();
    }
    pages.push(page);
  }
  return pages;
}
