import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../lib/files/private-path.js';
import { removeHalfWritten, replaceFile, writerIn } from '../lib/files/replace-file.js';
import type { DocumentFacts, SpoolStore, StoredDocument } from './spool-store.js';

/** NUMBER.new.jsonl, renamed to NUMBER.opened.jsonl when the document is opened. */
const FILE = /^([1-9]\d{0,14})\.(new|opened)\.jsonl$/;
const REPLACED = /^[1-9]\d{0,14}\.new\.jsonl$/;
const writerOf = (name: string) => writerIn(name, (file) => REPLACED.test(file));
const MOST_HEAD_BYTES = 512;
const MOST_FILES = 10_000;
const LINE_END = 0x0a;

/** Stores each document as a file: facts in the first line, then its pages. Only one process may use the folder. */
export class FileSpoolStore implements SpoolStore {
  readonly #folder: string;
  readonly #opened = new Set<number>();
  /** Serializes changes, because each depends on the current file names. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Removes incomplete files of killed processes.
   * @param report called with files that are not documents; they are kept
   * @throws Error if the folder cannot be used
   */
  static async open(
    folder: string,
    report: (file: string) => void,
  ): Promise<{ readonly store: FileSpoolStore; readonly documents: readonly StoredDocument[] }> {
    await makePrivateFolder(folder);
    await removeHalfWritten(folder, writerOf);
    const names = await readdir(folder);
    if (names.length > MOST_FILES) throw new Error(`${folder} has ${names.length} files; the maximum is ${MOST_FILES}`);
    const store = new FileSpoolStore(folder);
    const documents: StoredDocument[] = [];
    for (const name of names) {
      if (writerOf(name) !== undefined) continue;
      const document = await store.#documentOf(name);
      if (document === undefined) report(join(folder, name));
      else documents.push(document);
    }
    documents.sort((one, other) => one.facts.number - other.facts.number);
    return { store, documents };
  }

  put(facts: DocumentFacts, content: Buffer): Promise<void> {
    const head = Buffer.from(`${JSON.stringify(facts)}\n`);
    return this.#inTurn(() => replaceFile(this.#fileOf(facts.number), Buffer.concat([head, content])));
  }

  get(number: number): Promise<Buffer | undefined> {
    return this.#inTurn(async () => {
      try {
        const bytes = await readFile(this.#fileOf(number));
        return bytes.subarray(bytes.indexOf(LINE_END) + 1);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    });
  }

  markRead(number: number): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#opened.has(number)) return;
      const before = this.#fileOf(number);
      await rename(before, before.replace(/new\.jsonl$/, 'opened.jsonl'));
      this.#opened.add(number);
    });
  }

  remove(number: number): Promise<void> {
    return this.#inTurn(async () => {
      await rm(this.#fileOf(number), { force: true });
      this.#opened.delete(number);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #fileOf(number: number): string {
    return join(this.#folder, `${number}.${this.#opened.has(number) ? 'opened' : 'new'}.jsonl`);
  }

  async #documentOf(name: string): Promise<StoredDocument | undefined> {
    const [, number, state] = FILE.exec(name) ?? [];
    if (number === undefined) return undefined;
    const path = join(this.#folder, name);
    const head = await headOf(path);
    const facts = factsOf(head, Number(number));
    if (facts === undefined) return undefined;
    const wasRead = state === 'opened';
    if (wasRead) this.#opened.add(facts.number);
    const { size } = await stat(path);
    return { facts, bytes: size - Buffer.byteLength(head) - 1, wasRead };
  }
}

/** Returns an empty string if the first line is longer than that of a document. */
async function headOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_HEAD_BYTES), 0, MOST_HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, Math.max(0, buffer.subarray(0, bytesRead).indexOf(LINE_END)));
  } finally {
    await file.close();
  }
}

function factsOf(head: string, named: number): DocumentFacts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(head);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { number, printed, pages, isComplete } = value as Partial<Record<keyof DocumentFacts, unknown>>;
  const isCount = (one: unknown): one is number => Number.isSafeInteger(one) && (one as number) >= 0;
  if (number !== named || !isCount(printed) || !isCount(pages) || typeof isComplete !== 'boolean') return undefined;
  return { number: named, printed, pages, isComplete };
}
