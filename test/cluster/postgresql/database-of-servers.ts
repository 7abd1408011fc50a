import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { Database, DatabaseClock } from '../../../src/cluster/postgresql/database.js';
import { migrate } from '../../../src/cluster/postgresql/migrate.js';
import { migrations } from '../../../src/cluster/postgresql/migrations.js';
import { PostgresqlAuditTrail } from '../../../src/cluster/postgresql/postgresql-audit-trail.js';
import { PostgresqlIdempotencyStore } from '../../../src/cluster/postgresql/postgresql-idempotency-store.js';
import { PostgresqlSignOnStore } from '../../../src/cluster/postgresql/postgresql-sign-on-store.js';
import { ProcessPresence } from '../../../src/cluster/postgresql/process-presence.js';
import { SharedStores } from '../../../src/cluster/postgresql/shared-stores.js';
import { verifyAudit } from '../../../src/cluster/postgresql/verify-audit.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { DatabaseLine } from '../../support/database-line.js';
import { eventually } from '../../support/eventually.js';
import { type PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { projectFolder } from '../../support/project.js';
import { setClock, setClockBack } from '../../support/set-clock.js';

const MOST_WAITING_STATEMENTS = 1_000;

const HOUR = 3_600_000;

/** What is the same for all stores; the server is running. */
export function itIsADatabaseOfServers(running: () => PostgresqlServer): void {
  const opened: Database[] = [];
  const open = (now?: () => number) => {
    const database = new Database(running().definition(), silentLog, now);
    opened.push(database);
    return database;
  };
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  async function codeOf(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof ServiceError ? error.code : `${error}`;
  }

  it('compares times of one clock, whatever those of servers say', async () => {
    await running().empty();
    const ahead = () => Date.now() + HOUR;
    const [right, wrong] = [open(), open(ahead)];
    for (const each of [right, wrong]) await each.for('SVC_ERR_STORE_UNAVAILABLE').query('select');
    const [here, there] = [right, wrong].map((each) => new PostgresqlSignOnStore(each, 'portal')) as [
      PostgresqlSignOnStore,
      PostgresqlSignOnStore,
    ];
    const record = (id: string, now: number) => ({
      id,
      userName: 'ANNA',
      passwordSet: undefined,
      until: now + HOUR / 2,
      idleUntil: now + HOUR / 2,
    });
    await there.add(record('a', ahead()), ahead());
    expect(await here.touch('a', Date.now(), Date.now())).to.not.equal(undefined);
    expect(await here.touch('a', Date.now() + HOUR / 2 + 60_000, 0)).to.equal(undefined);
    await here.add(record('b', Date.now()), Date.now());
    expect(await there.touch('b', ahead(), ahead())).to.not.equal(undefined);
    expect(await there.touch('b', ahead() + HOUR / 2 + 60_000, 0)).to.equal(undefined);
  });

  it('gives first answers again for as long, whatever the clock of a server is set to meanwhile', async () => {
    await running().empty();
    const presence = new ProcessPresence(running().definition());
    const store = new PostgresqlIdempotencyStore(open(), presence);
    const request = { id: 'a', caller: 'caller', content: 'content' };
    const answer = { status: 200, contentType: 'text/plain', body: 'done' };
    try {
      expect(await store.begin(request)).to.deep.equal({ kind: 'begun' });
      await store.answer('a', answer);
      for (const ahead of [-25 * HOUR, 25 * HOUR]) {
        setClock(ahead);
        expect(await store.begin(request)).to.deep.equal({ kind: 'answered', answer });
      }
    } finally {
      setClockBack();
      await presence.close();
    }
  });

  it('keeps what becomes of requests with keys as soon as it is reached again, for all servers', async () => {
    await running().empty();
    const line = await DatabaseLine.to(running());
    const limits = { connections: 4, connectMilliseconds: 5_000, statementMilliseconds: 5_000 };
    const far = new Database(running().definition({ host: '127.0.0.1', port: line.port, limits }), silentLog);
    opened.push(far);
    const presences = [1, 2].map(() => new ProcessPresence(running().definition()));
    const [store, other] = [far, open()].map(
      (database, at) => new PostgresqlIdempotencyStore(database, presences[at] as ProcessPresence),
    ) as [PostgresqlIdempotencyStore, PostgresqlIdempotencyStore];
    const request = (id: string) => ({ id, caller: 'caller', content: 'content' });
    const answer = { status: 200, contentType: 'text/plain', body: 'done' };
    const isRefused = async (work: Promise<unknown>) =>
      expect(await codeOf(work)).to.equal('SVC_ERR_STORE_UNAVAILABLE');
    try {
      for (const id of ['answered', 'forgotten']) await store.begin(request(id));
      // the answer that it was kept is lost
      await running().run(`
        create function sallyport.slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.3); return null; end';
        grant execute on function sallyport.slow() to sallyport;
        create constraint trigger slow after insert on sallyport.idempotency deferrable initially deferred
          for each row execute function sallyport.slow()`);
      const begun = isRefused(store.begin(request('begun')));
      const committing = "select from pg_stat_activity where query = 'COMMIT' and state = 'active'";
      await eventually(async () => ((await running().run(committing)).length > 0 ? true : undefined));
      line.break();
      await Promise.all([begun, isRefused(store.answer('answered', answer)), isRefused(store.forget('forgotten'))]);
      await running().run('drop trigger slow on sallyport.idempotency; drop function sallyport.slow()');
      for (const id of ['answered', 'forgotten', 'begun'])
        expect(await other.begin(request(id)), id).to.deep.equal({ kind: 'running' });
      line.mend();
      for (const [id, kept] of [
        ['answered', { kind: 'answered', answer }],
        ['forgotten', { kind: 'begun' }],
        ['begun', { kind: 'begun' }],
      ] as const) {
        const found = await eventually(async () => {
          const beginning = await other.begin(request(id));
          return beginning.kind === 'running' ? undefined : beginning;
        });
        expect(found, id).to.deep.equal(kept);
      }
    } finally {
      store.close();
      for (const presence of presences) await presence.close();
      line.close();
    }
  });

  it('takes the time of a database that answers slowly for that of all, until it is known better', () => {
    const clock = new DatabaseClock(() => 0);
    clock.measured(HOUR, 0, 10_000);
    expect(clock.now()).to.equal(HOUR - 5_000);
    clock.measured(HOUR, 0, 1_000);
    expect(clock.now()).to.equal(HOUR - 500);
    clock.measured(2 * HOUR, 0, 10_000);
    expect(clock.now()).to.equal(HOUR - 500);
  });

  it('refuses tables of another version, says which is older, and makes what is missing once', async () => {
    const definition = running().definition();
    const refusal = () =>
      SharedStores.open(definition, silentLog).then(
        (stores) => stores.close().then(() => 'opened'),
        (error: Error) => error.message,
      );
    const owner = running().definition({ user: 'postgres' });
    try {
      await running().run('update sallyport.schema_version set version = 99, least = 98');
      expect(await refusal())
        .to.include('version 99')
        .and.to.include('a newer Sallyport')
        .and.to.include('version 98 and later');
      const newer = await migrate(owner).catch((error: Error) => error.message);
      expect(newer).to.include('a newer Sallyport');
      await running().run('drop schema sallyport cascade');
      expect(await refusal())
        .to.include('version 0')
        .and.to.include('sallyport store migrate');
    } finally {
      await running().run('drop schema if exists sallyport cascade');
      const outcomes = await Promise.all([migrate(owner, 'sallyport'), migrate(owner, 'sallyport')]);
      expect(outcomes.map(({ before }) => before).sort()).to.deep.equal([0, 5]);
    }
    expect(await refusal()).to.equal('opened');
  });

  it('goes on with the tables of a newer Sallyport that has only added to them, says so, and copies none of it', async () => {
    const { log, texts } = recordingLog();
    const database = new Database(running().definition(), log);
    opened.push(database);
    const statements = database.for('SVC_ERR_STORE_UNAVAILABLE');
    const again = async () => {
      await running().run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'sallyport'");
      // the one that was ended is noticed with the next statement
      await statements.query('select').catch(() => {});
      return statements.query('select').catch((thrown: unknown) => (thrown as ServiceError).detail);
    };
    const current = 5;
    await statements.query('select');
    expect(texts.join()).to.equal('');
    try {
      await running().run(`update sallyport.schema_version set version = ${current + 1}, least = ${current}`);
      expect(await again()).to.deep.equal([{}]);
      expect(texts.join())
        .to.include('a newer Sallyport')
        .and.include(`version ${current + 1}`);
      expect(database.newerFault).to.include(`version ${current + 1}`);
      expect(await migrate(running().definition({ user: 'postgres' })).catch((error: Error) => error.message))
        .to.be.a('string')
        .and.include('a newer Sallyport');
      // a later step has taken away what this one needs
      await running().run(`update sallyport.schema_version set version = ${current + 2}, least = ${current + 2}`);
      expect(await again())
        .to.be.a('string')
        .and.include(`for servers of version ${current + 2} and later`);
    } finally {
      await running().run(`update sallyport.schema_version set version = ${current}, least = 1`);
    }
    expect(await again()).to.deep.equal([{}]);
  });

  it('is changed by steps that say whether servers of the version before can go on', () => {
    const adds =
      /^(?:create table \S+ \(|create index |insert into \S+ \([^)]*\) values |alter table \S+ (?:add column (?!.*not null(?!.*default))|alter column \S+ set storage )|create function |create trigger )/;
    for (const [at, { least, statements }] of migrations.entries()) {
      if (at === 0 || least === at + 1) continue;
      const isOfStepBefore = least === migrations[at - 1]?.least;
      expect(isOfStepBefore, `step ${at + 1}`).to.equal(true);
      const withoutBodies = statements.replaceAll(/\$\$[^$]*\$\$/g, '');
      for (const statement of withoutBodies.split(';').map((one) => one.trim())) {
        expect(adds.test(statement), `step ${at + 1} has only additions: ${statement}`).to.equal(true);
      }
    }
  });

  it('sends a password over TLS alone, to whom the certificate is for, and shows it nowhere', async () => {
    const secret = 'zQ7xKw9v-of-the-database';
    await running().run(`create role sallyport_far login password '${secret}' in role sallyport`);
    const { log, texts } = recordingLog();
    const reached = (host: string, password: string, usesTls = true, ca?: string) =>
      SharedStores.open(
        running().definition({ host, user: 'sallyport_far', password, tls: usesTls ? { ca } : undefined }),
        log,
      ).then(
        (stores) => stores.close().then(() => 'opened'),
        (error: Error) => `${error.message} ${inspect(error, { depth: 9 })}`,
      );
    const ca = readFileSync(join(running().folder, 'data', 'server.crt'), 'utf8');
    expect(await reached('127.0.0.1', secret, true, ca)).to.equal('opened');
    const said = [
      await reached('127.0.0.2', secret, true, ca),
      await reached('127.0.0.1', secret),
      await reached('127.0.0.1', secret, false),
      await reached('127.0.0.1', `${secret}-wrong`, true, ca),
    ];
    expect(said[0]).to.match(/IP: 127\.0\.0\.2 is not in the cert/);
    expect(said[1]).to.match(/self-signed certificate/);
    expect(said[2]).to.match(/no encryption/);
    expect(said[3]).to.match(/password authentication failed/);
    const several = running().definition({ user: 'sallyport_far', password: secret, tls: { ca } });
    const { port } = running();
    const hosts = ['127.0.0.2', '127.0.0.1'].map((host) => ({ host, port }));
    const stores = await SharedStores.open({ ...several, hosts }, log);
    await stores.close();
    const wrong = {
      ...several,
      hosts: [
        { host: '127.0.0.2', port },
        { host: '127.0.0.1', port: 1 },
      ],
    };
    const neither = await SharedStores.open(wrong, log).then(String, ({ message }: Error) => message);
    expect(neither)
      .to.match(/127\.0\.0\.2:\d+: .*IP: 127\.0\.0\.2 is not in the cert/)
      .and.match(/; 127\.0\.0\.1:1: .*ECONNREFUSED/);
    expect([...said, neither, ...texts].join()).to.not.include(secret);
  });

  it('is what operation/cluster makes of a new PostgreSQL: a role that serves with its password, and owns nothing', async () => {
    const password = `it's "the" password \\`;
    // as the image of PostgreSQL has them when it runs the script
    await running().run('create role sallyport_owner login superuser');
    await running().run('create database sallyport owner sallyport_owner');
    await running().run('alter role sallyport rename to set_aside');
    try {
      const script = spawnSync('sh', [join(projectFolder, 'operation', 'cluster', 'roles.sh')], {
        encoding: 'utf8',
        env: {
          PATH: `${postgresqlFolder()}:${process.env.PATH}`,
          PGHOST: running().folder,
          PGPORT: String(running().port),
          POSTGRES_USER: 'sallyport_owner',
          POSTGRES_DB: 'sallyport',
          DATABASE_PASSWORD: password,
        },
      });
      expect([script.status, script.stderr]).to.deep.equal([0, '']);
      const place = { database: 'sallyport', user: 'sallyport' };
      await migrate(running().definition({ ...place, user: 'sallyport_owner' }), 'sallyport');
      const ca = readFileSync(join(running().folder, 'data', 'server.crt'), 'utf8');
      const reached = (given: string) => {
        const from = { ...place, host: '127.0.0.1', password: given, tls: { ca } };
        return SharedStores.open(running().definition(from), silentLog);
      };
      const stores = await reached(password);
      expect(await stores.users.read()).to.deep.include({ groups: [], users: {} });
      await stores.close();
      expect(await reached('another').catch((error: Error) => error.message)).to.include('authentication failed');
      const owned = await running().run("select from pg_class where relowner = 'sallyport'::regrole");
      expect(owned).to.deep.equal([]);
      const roles = await running().run<{ able: boolean }>(
        "select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as able from pg_roles where rolname = 'sallyport'",
      );
      expect(roles).to.deep.equal([{ able: false }]);
    } finally {
      await running().run('drop database if exists sallyport');
      await running().run('drop role if exists sallyport');
      await running().run('alter role set_aside rename to sallyport');
      await running().run('drop role sallyport_owner');
    }
  });

  it('lets a server neither change nor remove an entry of the audit trail, nor a table', async () => {
    const statements = open().for('SVC_ERR_STORE_UNAVAILABLE');
    for (const text of [
      "update sallyport.audit_entries set line = ''",
      'delete from sallyport.audit_entries',
      'truncate sallyport.audit_entries',
      'drop table sallyport.users',
      'update sallyport.schema_version set version = 2',
    ]) {
      const error: unknown = await statements.query(text).catch((thrown: unknown) => thrown);
      expect((error as ServiceError).detail, text).to.match(/permission denied|must be owner/);
    }
  });

  it('finds an entry that an owner has changed, and appends nothing behind it', async () => {
    await running().empty();
    const node = open();
    const audit = new PostgresqlAuditTrail(node);
    const entry = { who: 'anna', from: '192.0.2.1', what: 'data.backedUp' as const, subject: 'x' };
    for (let count = 0; count < 3; count += 1) await audit.note(entry);
    const statements = node.for('SVC_ERR_AUDIT_UNAVAILABLE');
    const head = await audit.head();
    expect(await verifyAudit(statements, head)).to.include({ kind: 'unbroken', entries: 3, lastHash: head?.hash });
    await running().run("update sallyport.audit_entries set line = replace(line, 'anna', 'bert') where sequence = 2");
    const verified = await verifyAudit(statements);
    expect(verified.kind === 'broken' && verified.fault.line).to.equal(3);
    const begun = new PostgresqlAuditTrail(open());
    expect((await begun.state()).fault).to.include('entry 3');
    expect(await codeOf(begun.note(entry))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    await running().run('delete from sallyport.audit_entries where sequence > 1');
    expect((await verifyAudit(statements)).kind).to.equal('broken');
    expect(await codeOf(begun.note(entry))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
  });

  it(`has ${MOST_WAITING_STATEMENTS} statements wait for a connection, and refuses the next one at once`, async () => {
    const statements = open().for('SVC_ERR_STORE_UNAVAILABLE');
    const { connections } = running().definition().limits;
    const asked = Array.from({ length: connections + MOST_WAITING_STATEMENTS }, () => statements.query('select'));
    const refused = await codeOf(statements.query('select'));
    expect(refused).to.equal('SVC_ERR_STORE_UNAVAILABLE');
    await Promise.all(asked);
  });
}
