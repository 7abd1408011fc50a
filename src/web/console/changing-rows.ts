/** What changed since a page was told last. */
interface RowChanges {
  /** For the next question. */
  readonly version: number;
  /** What the page has is to be forgotten: the rows are all of them. */
  readonly isAll: boolean;
  /** JSON of each row that is new or different. */
  readonly rows: readonly string[];
  /** Identifiers of rows that are gone. */
  readonly gone: readonly string[];
}

interface KnownRow {
  readonly json: string;
  readonly version: number;
}

/** Rows that are gone, as long as a page may not have heard of it. */
const MOST_GONE = 10_000;

/**
 * A table that pages show as it changes. However many of them there are, it is looked at once in a while, and each is told what
 * it does not have yet.
 */
export class ChangingRows {
  readonly #read: () => Iterable<readonly [id: string, row: object]>;
  readonly #freshMilliseconds: number;
  #rows = new Map<string, KnownRow>();
  #gone: { readonly id: string; readonly version: number }[] = [];
  /** Of the oldest change that is still known. */
  #forgotten = 0;
  #version = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  /** @param freshMilliseconds for which what was read counts as the state of now */
  constructor(read: () => Iterable<readonly [id: string, row: object]>, freshMilliseconds = 500) {
    this.#read = read;
    this.#freshMilliseconds = freshMilliseconds;
  }

  /** @param version that the page has; 0: none */
  since(version: number): RowChanges {
    this.#refresh();
    const isAll = version === 0 || version < this.#forgotten;
    const rows = [...this.#rows.values()].filter((row) => isAll || row.version > version).map(({ json }) => json);
    const gone = isAll ? [] : this.#gone.filter((row) => row.version > version).map(({ id }) => id);
    return { version: this.#version, isAll, rows, gone };
  }

  #refresh(): void {
    const now = performance.now();
    if (now - this.#readAt < this.#freshMilliseconds) return;
    this.#readAt = now;
    const version = this.#version + 1;
    const rows = new Map<string, KnownRow>();
    let hasChanged = this.#version === 0;
    for (const [id, row] of this.#read()) {
      const json = JSON.stringify(row);
      const known = this.#rows.get(id);
      const isSame = known?.json === json;
      rows.set(id, isSame ? known : { json, version });
      hasChanged ||= !isSame;
    }
    for (const id of this.#rows.keys()) {
      if (rows.has(id)) continue;
      this.#gone.push({ id, version });
      hasChanged = true;
    }
    this.#rows = rows;
    if (!hasChanged) return;
    this.#version = version;
    const surplus = this.#gone.splice(0, Math.max(0, this.#gone.length - MOST_GONE));
    this.#forgotten = surplus.at(-1)?.version ?? this.#forgotten;
  }
}
