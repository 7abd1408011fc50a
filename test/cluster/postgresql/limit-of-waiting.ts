import { expect } from 'chai';
import pg from 'pg';
import { Database, type Statements } from '../../../src/cluster/postgresql/database.js';
import { lockOf } from '../../../src/cluster/postgresql/database-lock.js';
import { PostgresqlAuditTrail } from '../../../src/cluster/postgresql/postgresql-audit-trail.js';
import type { ServiceError } from '../../../src/lib/errors.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { awaited } from '../../support/awaited.js';
import { eventually } from '../../support/eventually.js';
import type { PostgresqlServer } from '../../support/postgresql.js';

/** Milliseconds of `definition()`, and what PostgreSQL has waited for sure. */
const [WHOLE, SLEPT] = [60_000, 600];
const SLEEP = 'select pg_sleep(0.6)';
const entry = { who: 'anna', from: '192.0.2.1', what: 'data.backedUp' as const, subject: 'x' };

/** One limit for everything that something waits for; the server is running. */
export function itHasOneLimitForAllWaits(running: () => PostgresqlServer): void {
  const opened: Database[] = [];
  const open = (connections: number, statementMilliseconds = WHOLE) => {
    const limits = { connections, connectMilliseconds: WHOLE, statementMilliseconds };
    const database = new Database(running().definition({ limits }), silentLog);
    opened.push(database);
    return database;
  };
  afterEach(async () => {
    for (const database of opened.splice(0))
      await awaited('the database', 'close: all connections are released', database.close());
  });

  async function timeoutOf(statements: Statements): Promise<number> {
    const [found] = await statements.query<{ milliseconds: string }>(
      `select setting as milliseconds from pg_settings where name = 'statement_timeout'`,
    );
    return Number(found?.milliseconds);
  }
  const isRest = (milliseconds: number) => expect(milliseconds).to.be.within(1, WHOLE - SLEPT);
  const isWhole = (milliseconds: number) => expect(milliseconds).to.be.within(WHOLE - SLEPT + 1, WHOLE);
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      ({ code, headers }: ServiceError) => [code, headers['Retry-After']],
    );

  /** Somebody else with a lock, until the connection ends. */
  async function holding(statement: string): Promise<pg.Client> {
    const { folder: host, port } = running();
    const client = new pg.Client({ host, port, user: 'postgres', database: 'postgres' });
    await client.connect();
    await client.query(statement);
    return client;
  }

  it('gives a statement what the wait for a connection has left, and the next one all of it again', async () => {
    const statements = open(1).for('SVC_ERR_STORE_UNAVAILABLE');
    await statements.query('select');
    const [, rest] = await Promise.all([statements.query(SLEEP), timeoutOf(statements)]);
    isRest(rest);
    isWhole(await timeoutOf(statements));
  });

  it('gives each statement of a change, and everything that it waits for, what those before have left', async () => {
    const database = open(1);
    const statements = database.for('SVC_ERR_STORE_UNAVAILABLE');
    const seen = await statements.change(lockOf('drafts'), async (change) => {
      const first = await timeoutOf(change);
      await change.query(SLEEP);
      const inside = [await timeoutOf(change), await timeoutOf(statements)];
      const until = statements.until();
      await change.commit();
      return { first, inside, until, after: statements.until() };
    });
    isWhole(seen.first);
    for (const rest of seen.inside) isRest(rest);
    expect(seen.after - seen.until, 'the outcome has its own').to.be.greaterThan(SLEPT);
    isWhole(await timeoutOf(statements));
    const ofTransaction = await statements.transaction(lockOf('drafts'), async (all) => {
      await all.query(SLEEP);
      return timeoutOf(all);
    });
    isRest(ofTransaction);
    const ofCopy = await statements.longTransaction(lockOf('copies'), async (all) => {
      await all.query(SLEEP);
      return timeoutOf(all);
    });
    isWhole(ofCopy);
  });

  it('refuses what gets no connection within its limit, and serves others when one is free', async () => {
    const statements = open(1, 1_000).for('SVC_ERR_STORE_UNAVAILABLE');
    let free = () => {};
    const isFree = new Promise<void>((resolve) => {
      free = resolve;
    });
    const hold = (key: string) => statements.change(lockOf('drafts', key), () => isFree);
    const held = ['a', 'b'].map((key) => hold(key));
    try {
      expect(await refusalOf(hold('c'))).to.deep.equal(['SVC_ERR_STORE_UNAVAILABLE', '5']);
    } finally {
      free();
    }
    await awaited('the database', 'both changes end and release their connections', Promise.all(held));
    await awaited('the database', 'a change gets the connection that was released', hold('c'));
  });

  it('refuses entries while the trail is locked, those that wait behind others too, and writes none of them later', async () => {
    await running().empty();
    const audit = new PostgresqlAuditTrail(open(4, 1_000));
    await audit.note(entry);
    const [first = 0, second = 0] = lockOf('audit').map((part) => part | 0);
    const waitsForLock = `select from pg_locks where locktype = 'advisory' and not granted and classid = ${first}`;
    const holder = await holding(`select pg_advisory_lock(${first}, ${second})`);
    let made = 0;
    const make = async () => {
      made += 1;
    };
    const change = () => refusalOf(audit.record(entry, make));
    try {
      const refused = [change()];
      await eventually(async () => ((await running().run(waitsForLock)).length > 0 ? true : undefined));
      for (let count = 0; count < 20; count += 1) refused.push(change());
      for (const answer of await Promise.all(refused)) expect(answer).to.deep.equal(['SVC_ERR_AUDIT_UNAVAILABLE', '5']);
    } finally {
      await holder.end();
    }
    await audit.note(entry);
    expect([made, (await audit.latest(10)).map(({ sequence }) => sequence)]).to.deep.equal([0, [2, 1]]);
  });

  it('refuses what waits for the row of the trail, as an owner may have locked that', async () => {
    await running().empty();
    const audit = new PostgresqlAuditTrail(open(4, 1_000));
    await audit.note(entry);
    const holder = await holding('begin; select from sallyport.audit_head for update');
    try {
      expect(await refusalOf(audit.note(entry))).to.deep.equal(['SVC_ERR_AUDIT_UNAVAILABLE', '5']);
    } finally {
      await holder.end();
    }
    await audit.note(entry);
  });
}
