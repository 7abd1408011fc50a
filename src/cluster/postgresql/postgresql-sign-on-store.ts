import {
  MOST_SIGN_ONS,
  type ReplacedSignOn,
  SIGN_ONS_PER_USER,
  type SignOnRecord,
  type SignOnStore,
} from '../../access/sign-on/sign-on-store.js';
import { foldedName } from '../../access/users/security-name.js';
import type { Database, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';

interface SignOnRow {
  readonly id: Buffer;
  readonly userName: string;
  readonly passwordSet: string | null;
  readonly until: number;
  readonly idleUntil: number;
}

const COLUMNS = 'id, user_name as "userName", password_set as "passwordSet", until, idle_until as "idleUntil"';
/** Extensions by less than 1/32 of the idle time are not stored. */
const LEAST_PART = 32;

/** Sign-ons of one kind of line. They are valid at every node and outlive it. */
export class PostgresqlSignOnStore implements SignOnStore {
  readonly #database: StoreDatabase;
  readonly #kind: 'portal' | 'client';
  readonly #mostOfUser: number;

  constructor(database: Database, kind: 'portal' | 'client', mostOfUser = SIGN_ONS_PER_USER) {
    this.#database = database.for('SVC_ERR_SECURITY_UNAVAILABLE');
    this.#kind = kind;
    this.#mostOfUser = mostOfUser;
  }

  add(record: SignOnRecord, now: number): Promise<readonly ReplacedSignOn[]> {
    const { clock } = this.#database;
    const kind = this.#kind;
    const userKey = Buffer.from(foldedName(record.userName));
    return this.#database.transaction(lockOf('signOns', kind), async (statements) => {
      await statements.query('delete from sallyport.sign_ons where kind = $1 and least(until, idle_until) <= $2', [
        kind,
        clock.toDatabase(now),
      ]);
      const replaced = await statements.query<{ id: Buffer; userName: string; isOfUser: boolean }>(
        `delete from sallyport.sign_ons where kind = $1 and id in (
           (select id from sallyport.sign_ons where kind = $1 and user_key = $2 order by added desc offset $3)
           union all
           (select id from sallyport.sign_ons where kind = $1 order by added desc offset $4)
         ) returning id, user_name as "userName", user_key = $2 as "isOfUser"`,
        [kind, userKey, this.#mostOfUser - 1, MOST_SIGN_ONS - 1],
      );
      await statements.query(
        `insert into sallyport.sign_ons (kind, id, user_key, user_name, password_set, until, idle_until)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          kind,
          Buffer.from(record.id),
          userKey,
          record.userName,
          record.passwordSet ?? null,
          clock.toDatabase(record.until),
          clock.toDatabase(record.idleUntil),
        ],
      );
      return replaced.map(({ id, userName, isOfUser }) => ({
        id: id.toString(),
        userName,
        bound: isOfUser ? 'perUser' : 'ofAll',
      }));
    });
  }

  async touch(id: string, now: number, idleUntil: number): Promise<SignOnRecord | undefined> {
    const { clock } = this.#database;
    const [found] = await this.#database.query<SignOnRow>(
      `with found as (
         select kind, id, user_name, password_set, until, idle_until from sallyport.sign_ons
         where kind = $1 and id = $2 and until > $3 and idle_until > $3
       ), touched as (
         update sallyport.sign_ons kept set idle_until = $4 from found
         where kept.kind = found.kind and kept.id = found.id and kept.idle_until < $4
           and $4 - found.idle_until > ($4 - $3) / ${LEAST_PART}
       )
       select ${COLUMNS} from found`,
      [this.#kind, Buffer.from(id), clock.toDatabase(now), clock.toDatabase(idleUntil)],
    );
    if (found === undefined) return undefined;
    const kept = this.#recordOf(found);
    return { ...kept, idleUntil: Math.max(kept.idleUntil, idleUntil) };
  }

  async remove(id: string, now: number): Promise<SignOnRecord | undefined> {
    const [removed] = await this.#database.query<SignOnRow>(
      `delete from sallyport.sign_ons where kind = $1 and id = $2 returning ${COLUMNS}`,
      [this.#kind, Buffer.from(id)],
    );
    if (removed === undefined) return undefined;
    const record = this.#recordOf(removed);
    return now < record.until && now < record.idleUntil ? record : undefined;
  }

  #recordOf({ id, userName, passwordSet, until, idleUntil }: SignOnRow): SignOnRecord {
    const { clock } = this.#database;
    return {
      id: id.toString(),
      userName,
      passwordSet: passwordSet ?? undefined,
      until: clock.fromDatabase(until),
      idleUntil: clock.fromDatabase(idleUntil),
    };
  }
}
