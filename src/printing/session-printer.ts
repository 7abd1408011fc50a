import type { DocumentOutput } from './document-output.js';
import { type DocumentSpool, SPOOL_WARNING_SHARE } from './document-spool.js';
import type { DocumentFacts, SpooledDocument } from './spool-store.js';

interface SessionPrinterOptions {
  readonly name: string;
  readonly spool: DocumentSpool;
  readonly output: DocumentOutput;
  /** Groups whose members may open the documents; undefined if only the session may. */
  readonly groups: readonly string[] | undefined;
  readonly logicalUnit: () => string | undefined;
}

export class SessionPrinter {
  readonly #options: SessionPrinterOptions;
  readonly #opened = new Set<number>();
  /** Number of the last document before the session; older ones do not count as new. */
  readonly #before: number;

  constructor(options: SessionPrinterOptions) {
    this.#options = options;
    this.#before = options.spool.list()[0]?.number ?? 0;
  }

  get name(): string {
    return this.#options.name;
  }

  get logicalUnit(): string | undefined {
    return this.#options.logicalUnit();
  }

  get spool(): { readonly percent: number; readonly isNearlyFull: boolean } {
    const { unopenedShare } = this.#options.spool;
    const percent = Math.min(100, Math.floor(unopenedShare * 100));
    return { percent, isNearlyFull: unopenedShare >= SPOOL_WARNING_SHARE };
  }

  get output(): DocumentOutput {
    return this.#options.output;
  }

  maySee(groups: readonly string[]): boolean {
    const { groups: allowed } = this.#options;
    return allowed === undefined || groups.some((group) => allowed.includes(group));
  }

  list(): readonly DocumentFacts[] {
    return this.#options.spool.list();
  }

  waits({ number }: DocumentFacts): boolean {
    return number > this.#before && !this.#opened.has(number);
  }

  /** The oldest document that the session has not opened, or else the newest of all. */
  get next(): DocumentFacts | undefined {
    const documents = this.list();
    return documents.findLast((document) => this.waits(document)) ?? documents[0];
  }

  get isReady(): boolean {
    return this.list().some((document) => this.waits(document));
  }

  async open(number: number): Promise<SpooledDocument | undefined> {
    const document = await this.#options.spool.read(number);
    if (document !== undefined) this.#opened.add(number);
    return document;
  }

  watch(tell: (facts: DocumentFacts) => void): () => void {
    return this.#options.spool.watch(tell);
  }
}
