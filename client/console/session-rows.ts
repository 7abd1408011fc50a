import { durationText } from '../../src/lib/text/duration-text.js';
import { pageLanguage, word } from './console-words.js';

export interface SessionRow {
  readonly id: string;
  readonly kind: 'browser' | 'scenario' | 'pool';
  readonly state: 'connecting' | 'connected' | 'ending';
  readonly user: string;
  readonly address: string;
  readonly line: string;
  readonly transaction: string;
  readonly host: string;
  readonly unit: string;
  /** Code of its server; empty if there is only one server. */
  readonly node: string;
  readonly name: string;
  readonly began: number;
  readonly lastUsed: number;
  readonly watchedBy: string;
  readonly tracedBy: string;
}

export interface SessionChanges {
  /** Server time. */
  readonly now: number;
  /** The list is complete. */
  readonly all: boolean;
  /** Number of sessions that the server left out because there are too many. */
  readonly more: number;
  readonly rows: readonly SessionRow[];
  readonly gone: readonly string[];
}

export type SortKey = 'user' | 'transaction' | 'host' | 'unit' | 'line' | 'address' | 'began' | 'idle';

interface KnownRow {
  readonly row: SessionRow;
  /** Text that the search looks in. */
  readonly text: string;
}

const sortValue: Readonly<Record<SortKey, (row: SessionRow) => string | number>> = {
  user: ({ user }) => user.toLowerCase(),
  transaction: ({ transaction }) => transaction.toLowerCase(),
  host: ({ host }) => host.toLowerCase(),
  unit: ({ unit }) => unit,
  line: ({ line }) => line.toLowerCase(),
  address: ({ address }) => address,
  began: ({ began }) => began,
  idle: ({ lastUsed }) => -lastUsed,
};

export class SessionRows {
  readonly #known = new Map<string, KnownRow>();
  #clockAhead = 0;
  #more = 0;

  get size(): number {
    return this.#known.size + this.#more;
  }

  take({ now, all, more, rows, gone }: SessionChanges): void {
    this.#clockAhead = now - Date.now();
    this.#more = more;
    if (all) this.#known.clear();
    for (const id of gone) this.#known.delete(id);
    for (const row of rows) this.#known.set(row.id, { row, text: searchedText(row) });
  }

  found(search: string, key: SortKey, isDescending: boolean): readonly SessionRow[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const rows: SessionRow[] = [];
    for (const { row, text } of this.#known.values()) if (words.every((word) => text.includes(word))) rows.push(row);
    const value = sortValue[key];
    const sign = isDescending ? -1 : 1;
    return rows.sort((one, other) => {
      const [left, right] = [value(one), value(other)];
      return sign * (left < right ? -1 : left > right ? 1 : one.id < other.id ? -1 : 1);
    });
  }

  idleText({ lastUsed }: SessionRow): string {
    return durationText(Date.now() + this.#clockAhead - lastUsed, pageLanguage());
  }
}

export function remark({ kind, state, name, node, watchedBy, tracedBy }: SessionRow): string {
  const remarks = [
    name,
    node && word('server', { name: node }),
    kind === 'browser' ? '' : word(kind),
    state === 'connected' ? '' : word(state),
    watchedBy && word('watchedBy', { names: watchedBy }),
    tracedBy && word('tracedBy', { names: tracedBy }),
  ];
  return remarks.filter(Boolean).join(', ');
}

function searchedText(row: SessionRow): string {
  const { id, user, transaction, host, unit, line, address } = row;
  return [id, user, transaction, host, unit, line, address, remark(row)].join(' ').toLowerCase();
}
