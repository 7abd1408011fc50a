import type { LiveSession } from '../../operation/live-session.js';
import type { SessionOperations } from '../../operation/session-operations.js';
import { ChangingRows } from './changing-rows.js';
import type { ConsoleTopic, TopicFeed } from './console-topic.js';

/** Rows of one page; of more sessions than these, those that are listed last are not on it. */
const MOST_ROWS = 5_000;

/** The sessions of the server, as they come, change and go. */
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

/** What a row shows, and what is looked for in it. */
function rowOf(session: LiveSession): object {
  const { id, node, kind, state, user, address, line, transaction, host, logicalUnit, name, began, lastUsed } = session;
  const unit = logicalUnit ?? '';
  const watchedBy = session.watchedBy.join(', ');
  const tracedBy = session.tracedBy.join(', ');
  return {
    id,
    node,
    kind,
    state,
    user,
    address,
    line,
    transaction,
    host,
    unit,
    name,
    began,
    lastUsed,
    watchedBy,
    tracedBy,
  };
}
