import type { LiveSession, ScreenWatch } from '../../operation/live-session.js';
import type { SessionOperations } from '../../operation/session-operations.js';
import { SentScreen } from '../../terminal/protocol/sent-screen.js';
import type { ConsoleTopic, TopicFeed, TopicRequest } from './console-streams.js';

const MOST_ROWS = 5_000;

export class SessionTopic implements ConsoleTopic {
  readonly role = 'operator';
  readonly #rows: ChangingRows;
  #more = 0;

  constructor(sessions: SessionOperations) {
    this.#rows = new ChangingRows(() => {
      const all = sessions.list();
      this.#more = Math.max(0, all.length - MOST_ROWS);
      return all.slice(0, MOST_ROWS).map((session) => [session.id, rowOf(session)]);
    });
  }

  open(): TopicFeed {
    let version = 0;
    let more = 0;
    return {
      next: () => {
        const changes = this.#rows.since(version);
        const { rows, gone, isAll } = changes;
        if (version === changes.version && more === this.#more) return undefined;
        [version, more] = [changes.version, this.#more];
        const facts = `"now":${Date.now()},"all":${isAll},"more":${more}`;
        return `{${facts},"rows":[${rows.join(',')}],"gone":${JSON.stringify(gone)}}`;
      },
    };
  }
}

function rowOf({ logicalUnit: unit = '', watchedBy, tracedBy, ...facts }: LiveSession): object {
  return { ...facts, unit, watchedBy: watchedBy.join(', '), tracedBy: tracedBy.join(', ') };
}

interface RowChanges {
  readonly version: number;
  /** True if `rows` is the complete table. */
  readonly isAll: boolean;
  readonly rows: readonly string[];
  readonly gone: readonly string[];
}

interface KnownRow {
  readonly json: string;
  readonly version: number;
}

/** Removed rows that are remembered for pages that have not been updated. */
const MOST_GONE = 10_000;

/**
 * A table shown live on several pages. It is read at most once per interval, and each page receives only the changes.
 */
class ChangingRows {
  readonly #read: () => Iterable<readonly [id: string, row: object]>;
  readonly #freshMilliseconds: number;
  #rows = new Map<string, KnownRow>();
  #gone: { readonly id: string; readonly version: number }[] = [];
  /** Version of the newest change that is no longer known. */
  #forgotten = 0;
  #version = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(read: () => Iterable<readonly [id: string, row: object]>, freshMilliseconds = 500) {
    this.#read = read;
    this.#freshMilliseconds = freshMilliseconds;
  }

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

/** Viewers cannot type, so the keyboard is always locked. */
const circumstances = { lock: 2, notice: '' } as const;

/** The screen of a session, watched until the stream ends. Its events are messages of docs/write/screen-protocol.md. */
export class ScreenTopic implements ConsoleTopic {
  readonly role = 'administrator';
  readonly #sessions: SessionOperations;

  constructor(sessions: SessionOperations) {
    this.#sessions = sessions;
  }

  async open({ actor, parameter: id, wake }: TopicRequest): Promise<TopicFeed> {
    let hasEnded = false;
    let hasToldEnd = false;
    const ended = () => {
      hasEnded = true;
      wake();
    };
    const watch: ScreenWatch = await this.#sessions.watch(actor, id, { changed: wake, ended });
    const sent = new SentScreen();
    return {
      next: () => {
        if (hasEnded) {
          if (hasToldEnd) return undefined;
          hasToldEnd = true;
          return JSON.stringify({ k: 'e', e: 'over' });
        }
        const { image } = watch;
        if (image === undefined || sent.shows(image.revision, circumstances)) return undefined;
        return sent.update(image, circumstances);
      },
      close: () => watch.leave(),
    };
  }
}
