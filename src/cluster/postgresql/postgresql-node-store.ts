import { randomBytes } from 'node:crypto';
import type { ClusterChange, KnownNode, NodeReport, NodeStore } from '../nodes/node-store.js';
import type { Database, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';
import { COUNT_PRESENT, IS_PRESENT, type ProcessPresence, toldChange } from './process-presence.js';

/**
 * After this time without a report, a process counts as lost even if the database still has its lock: another process
 * may use its code, and its sessions are not listed.
 */
const ABANDONED_MILLISECONDS = 15_000;
const FORGOTTEN_MILLISECONDS = 24 * 3_600_000;
/** More than the console shows. */
const MOST_SESSIONS_READ = 20_000;
const NEWS_KEPT_MILLISECONDS = 3_600_000;
const NEWS_LATE_MILLISECONDS = 10_000;
const MOST_NEWS_READ = 10_000;
const SEAL_KEY_BYTES = 32;
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Measures silence on the clock of the database only, because the clocks of nodes differ. */
export class PostgresqlNodeStore implements NodeStore {
  readonly #database: StoreDatabase;
  readonly #presence: ProcessPresence;
  #isTaken = false;
  #state: NodeReport['state'] | undefined;
  /** On the clock of the database. */
  #newsSince = 0;

  constructor(database: Database, presence: ProcessPresence) {
    this.#database = database.for('SVC_ERR_STORE_UNAVAILABLE');
    this.#presence = presence;
  }

  async report(own: NodeReport): ReturnType<NodeStore['report']> {
    await this.#presence.show();
    const isNew = !this.#isTaken || !(await this.#beat(own));
    if (isNew) this.#isTaken = await this.#take(own);
    return this.#isTaken ? { isNew } : undefined;
  }

  async sealKey(): Promise<Buffer> {
    // A separate statement, so that it sees a row that another process has just committed.
    await this.#database.query('insert into sallyport.cluster_key (key) values ($1) on conflict do nothing', [
      randomBytes(SEAL_KEY_BYTES),
    ]);
    const [found] = await this.#database.query<{ key: Buffer }>('select key from sallyport.cluster_key', []);
    if (found === undefined) throw new Error('the key of the cluster was removed at this moment');
    return found.key;
  }

  async processes(): Promise<number> {
    await this.#presence.show();
    const [counted] = await this.#database.query<{ processes: number }>(COUNT_PRESENT, []);
    return counted?.processes ?? 1;
  }

  async look(): ReturnType<NodeStore['look']> {
    return { nodes: await this.#known(), news: await this.#news() };
  }

  listen(changed: (what: ClusterChange) => void): void {
    this.#presence.listen((what) => {
      for (const one of ['nodes', 'users'] as const) if (what === undefined || what === one) changed(one);
    });
  }

  async keepSessions(
    code: string,
    changed: readonly (readonly [string, string])[],
    gone: readonly string[],
  ): Promise<void> {
    const owned = 'select code from sallyport.nodes where code = $1 and owner = $2';
    await this.#database.query(
      `with removed as (delete from sallyport.node_sessions where node in (${owned}) and id = any($3::text[]))
       insert into sallyport.node_sessions (node, id, facts)
       select code, id, facts from (${owned}) as own, unnest($4::text[], $5::text[]) as changed (id, facts)
       on conflict (node, id) do update set facts = excluded.facts`,
      [code, this.#presence.number, gone, changed.map(([id]) => id), changed.map(([, facts]) => facts)],
    );
  }

  async tell(news: string): Promise<void> {
    await this.#database.query(
      `with old as (delete from sallyport.node_news where at < ${NOW} - ${NEWS_KEPT_MILLISECONDS}),
       added as (insert into sallyport.node_news (at, text) values (${NOW}, $1))
       select ${toldChange('nodes')}`,
      [news],
    );
  }

  async sessionsElsewhere(code: string): Promise<readonly string[]> {
    const rows = await this.#database.query<{ facts: string }>(
      `select facts from sallyport.node_sessions join sallyport.nodes on code = node
       where node <> $1 and heartbeat > ${NOW} - ${ABANDONED_MILLISECONDS} limit ${MOST_SESSIONS_READ}`,
      [code],
    );
    return rows.map(({ facts }) => facts);
  }

  async remove(code: string): Promise<void> {
    await this.#database.query(
      `with removed as (delete from sallyport.nodes where code = $1) select ${toldChange('nodes')}`,
      [code],
    );
  }

  /** Reads some news again: news that was written earlier may become visible later. */
  async #news(): Promise<readonly string[]> {
    const rows = await this.#database.query<{ now: number; text: string | null }>(
      `select ${NOW}::float8 as now, text from (select 1) as always
       left join sallyport.node_news on at > $1 order by number limit ${MOST_NEWS_READ}`,
      [this.#newsSince],
    );
    const texts = rows.flatMap(({ text }) => text ?? []);
    if (texts.length < MOST_NEWS_READ) this.#newsSince = Math.floor((rows[0]?.now ?? 0) - NEWS_LATE_MILLISECONDS);
    return texts;
  }

  async #beat({ code, address, version, state, sessions }: NodeReport): Promise<boolean> {
    const told = this.#state === state ? '1' : toldChange('nodes');
    const updated = await this.#database.query(
      `update sallyport.nodes set heartbeat = ${NOW}, address = $3, version = $4, state = $5, sessions = $6
       where code = $1 and owner = $2 returning ${told}`,
      [code, this.#presence.number, address, version, state, sessions],
    );
    this.#state = state;
    return updated.length > 0;
  }

  #take({ code, address, version, state, sessions }: NodeReport): Promise<boolean> {
    return this.#database.transaction(lockOf('nodes', code), async (statements) => {
      const others = await statements.query(
        `select 1 from sallyport.nodes where code = $1 and owner <> $2 and ${IS_PRESENT}
         and heartbeat > ${NOW} - ${ABANDONED_MILLISECONDS}`,
        [code, this.#presence.number],
      );
      if (others.length > 0) return false;
      await statements.query(`delete from sallyport.nodes where heartbeat < ${NOW} - ${FORGOTTEN_MILLISECONDS}`);
      await statements.query('delete from sallyport.node_sessions where node = $1', [code]);
      await statements.query(
        `insert into sallyport.nodes (code, owner, address, version, state, sessions, heartbeat)
         values ($1, $2, $3, $4, $5, $6, ${NOW})
         on conflict (code) do update set owner = $2, address = $3, version = $4, state = $5, sessions = $6, heartbeat = ${NOW}`,
        [code, this.#presence.number, address, version, state, sessions],
      );
      await statements.query(`select ${toldChange('nodes')}`);
      this.#state = state;
      return true;
    });
  }

  #known(): Promise<readonly KnownNode[]> {
    return this.#database.query<KnownNode>(
      `select code, address, version, state, sessions, greatest(0, ${NOW} - heartbeat)::float8 as "silentMilliseconds"
       from sallyport.nodes order by code`,
    );
  }
}
