import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { lockOf } from '../../../src/cluster/postgresql/database-lock.js';
import { ProcessPresence } from '../../../src/cluster/postgresql/process-presence.js';
import { loadConfiguration } from '../../../src/config/load-configuration.js';
import { openUsers } from '../../../src/config/open-users.js';
import { type RunningServer, startServer } from '../../../src/server/server.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { awaited } from '../../support/awaited.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { CookieClient } from '../../support/cookie-client.js';
import { eventually } from '../../support/eventually.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { projectFolder } from '../../support/project.js';
import { basic, SignOnClient } from '../../support/sign-on-client.js';
import { ADMINISTRATOR } from './cluster-of-two.js';
import { ask, upload } from './portal-requests.js';

const { password: PASSWORD } = ADMINISTRATOR;
const waiting = { 'retry-after': '5' };

/** Two servers on one database: one process here, two in what they know of each other. */
describe('two servers that share PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-shared-'));
  const servers: RunningServer[] = [];
  const { log, texts } = recordingLog();
  const passwordFile = join(folder, 'database-password');
  let database: PostgresqlServer;
  let [one, other] = ['', ''];
  let client = '';

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    const [pages, portal] = ['pages', 'portal'].map((name) => join(projectFolder, 'templates', name));
    const file = join(folder, 'sallyport.yaml');
    writeFileSync(passwordFile, 'not asked for\n');
    writeFileSync(
      file,
      `data: ./data
directories: { CLI-DIR: '${pages}', ADM-DIR: '${portal}' }
macros: ./data/macros
store: { postgresql: 'postgres://sallyport@localhost:${database.port}/postgres?host=${database.folder}', statementSeconds: 1, password: { file: '${passwordFile}' } }
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
sessions: { keysReady: 1 }
lines:
  W-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration }
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI }
entryPoints:
  WEB2HOST: { directory: ADM-DIR, transactions: {} }
  CLI: { directory: CLI-DIR, services: true, serviceUsers: true, transactions: { TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML } } }
`,
    );
    const loaded = await loadConfiguration(file);
    const configuration = { ...loaded.configuration, passwordCost: CHEAP_PASSWORDS };
    const users = await openUsers(configuration);
    const actor = { who: 'test', from: 'test' };
    const root = { name: 'root', role: 'administrator', groups: [], expires: undefined } as const;
    await users.administration.addUser(actor, root, PASSWORD);
    await users.close();
    for (const _ of ['one', 'other']) servers.push(await startServer(configuration, log));
    const urls = (line: string) =>
      servers.map(({ listeners }) => listeners.find(({ name }) => name === line)?.url ?? '') as [string, string];
    [one, other] = urls('W-HTTP');
    [client] = urls('C-HTTP');
  });

  after(async () => {
    for (const server of servers) await server.stop();
    await database?.remove();
    rmSync(folder, { recursive: true });
  });

  const current = () =>
    database.run<{ bytes: Buffer }>('select bytes from sallyport.macro_versions order by number desc limit 1');
  /** A session with a host, which needs no database: how one that was begun before goes on, and how another one begins. */
  async function withoutDatabase(): Promise<() => Promise<void>> {
    const terminal = new CookieClient(client);
    const action = await terminal.open('/TERMINAL.HTML+TSO');
    return async () => {
      expect((await terminal.get(action)).status).to.equal(200);
      expect((await new CookieClient(client).get('/TERMINAL.HTML+TSO')).status).to.equal(200);
    };
  }
  /** What needs the database, at both servers, and how it says so. */
  async function areRefused(): Promise<void> {
    for (const url of [one, other]) {
      const browser = new SignOnClient(url);
      for (const reply of [await ask(url), await upload(url, 'refused'), await browser.signOn('/', 'root', PASSWORD)]) {
        expect([reply.status, reply.headers.get('retry-after')]).to.deep.equal([503, waiting['retry-after']]);
      }
    }
  }
  async function goOn(): Promise<void> {
    for (const url of [one, other]) {
      await eventually(async () => ((await upload(url, 'again')).status === 200 ? true : undefined));
      expect((await new SignOnClient(url).signOn('/', 'root', PASSWORD)).status).to.equal(303);
    }
  }
  /** Connections of somebody else: as many as PostgreSQL has, or that many. @returns those that it has, and the reason of the last one */
  async function othersConnect(most = 1_000): Promise<{ readonly clients: pg.Client[]; readonly refusal: string }> {
    const clients: pg.Client[] = [];
    for (let refusal = ''; ; ) {
      if (clients.length === most || refusal !== '') return { clients, refusal };
      const { folder: host, port } = database;
      const found = new pg.Client({ host, port, user: 'sallyport', database: 'postgres', application_name: 'others' });
      found.on('error', () => {});
      await found.connect().then(
        () => clients.push(found),
        (error: pg.DatabaseError) => {
          refusal = error.code ?? error.message;
        },
      );
    }
  }
  const endOurs = () =>
    database.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sallyport'");
  const facts = async (reply: Response) => ({
    status: reply.status,
    'retry-after': reply.headers.get('retry-after'),
    text: await reply.text(),
  });

  it('find the same users, sign-ons and macros, and write one trail', async () => {
    const browser = new SignOnClient(one);
    expect((await browser.signOn('/', 'root', PASSWORD)).status).to.equal(303);
    const elsewhere = new SignOnClient(other);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.request('/users')).status).to.equal(200);
    expect((await upload(one, 'first')).status).to.equal(200);
    expect((await upload(other, 'second')).status).to.equal(200);
    expect((await elsewhere.request('/audit')).text).to.include('macros.');
    const lines = await database.run<{ count: number }>('select count(*)::int as count from sallyport.audit_entries');
    expect(lines[0]?.count).to.be.greaterThan(4);
  });

  it('answer 503 while the database is gone, keep sessions, lose nothing that was told, and go on by themselves', async () => {
    const sessionsGoOn = await withoutDatabase();
    expect((await upload(one, 'acknowledged')).status).to.equal(200);
    const [before] = await current();
    await database.end();
    const [read, written] = [await facts(await ask(one)), await facts(await upload(other, 'refused'))];
    for (const { text, ...reply } of [read, written]) {
      expect(reply).to.deep.equal({ status: 503, ...waiting });
      expect(text).to.not.include('PostgreSQL').and.not.include(database.folder);
    }
    await sessionsGoOn();
    await database.begin();
    for (const url of [one, other]) {
      await eventually(async () => ((await ask(url)).status === 200 ? true : undefined));
    }
    expect((await current())[0]?.bytes.toString()).to.equal(before?.bytes.toString());
    expect((await upload(other, 'again')).status).to.equal(200);
  });

  it('answer the same while others have all connections of the database, and go on when those are free', async () => {
    const sessionsGoOn = await withoutDatabase();
    await database.run('alter system set max_connections = 12');
    await database.end();
    await database.begin();
    const taken: pg.Client[] = [];
    try {
      // whoever serves may be faster than the others
      await eventually(async () => {
        await endOurs();
        const { clients, refusal } = await othersConnect();
        taken.push(...clients);
        expect(refusal).to.equal('53300');
        return (await endOurs()).length === 0 ? true : undefined;
      });
      await areRefused();
      await sessionsGoOn();
      expect(texts.join()).to.match(/remaining connection slots are reserved|too many clients/);
    } finally {
      await Promise.all(taken.map((each) => each.end()));
    }
    await goOn();
    await database.run('alter system reset max_connections');
  });

  it('answer the same while the database takes no connections because it is about to end, and go on with the next one', async () => {
    const sessionsGoOn = await withoutDatabase();
    const { clients } = await othersConnect(1);
    await endOurs();
    database.refuse();
    await eventually(async () => ((await othersConnect(1)).refusal === '57P03' ? true : undefined));
    await areRefused();
    await sessionsGoOn();
    expect(texts.join()).to.include('the database system is shutting down');
    await Promise.all(clients.map((each) => each.end()));
    await database.end();
    await database.begin();
    await goOn();
  });

  it('answer the same where the database can only be read, and go on when it can be written', async () => {
    const set = (words: string) => database.run(words).then(() => database.run('select pg_reload_conf()'));
    await set('alter system set default_transaction_read_only = on');
    try {
      await eventually(async () => ((await upload(one, 'refused')).status === 503 ? true : undefined));
      expect(await facts(await upload(one, 'refused'))).to.include({ status: 503 });
    } finally {
      await database.run('begin read write; commit');
      await set('alter system reset default_transaction_read_only');
    }
    await eventually(async () => ((await upload(one, 'written')).status === 200 ? true : undefined));
  });

  it('answer the same while the database has another password, and go on with that of the file, without a restart', async () => {
    const goesOn = await withoutDatabase();
    await database.run("alter role sallyport password 'rotated'");
    await database.askForPassword(true);
    await endOurs();
    await eventually(async () => ((await ask(one)).status === 503 ? true : undefined));
    await areRefused();
    await goesOn();
    writeFileSync(passwordFile, 'rotated\n');
    await goOn();
    await database.askForPassword(false);
    expect(texts.join()).not.to.contain('rotated');
  });

  it('hold no connection by which they could not show that they are there', async () => {
    const limits = { connections: 1, connectMilliseconds: 60_000, statementMilliseconds: 200 };
    const presence = new ProcessPresence(database.definition({ limits }));
    const { number } = presence;
    const connections = async () => {
      const rows = await database.run<{ pid: number }>(
        `select pid from pg_stat_activity where usename = 'sallyport' and query like '%advisory_lock%${number}%'`,
      );
      return rows.length;
    };
    const before = new pg.Client({
      host: database.folder,
      port: database.port,
      database: 'postgres',
      user: 'postgres',
    });
    await before.connect();
    try {
      await before.query(`select pg_advisory_lock(${lockOf('processes')[0]}, ${number})`);
      for (let tries = 0; tries < 3; tries++) {
        expect(await presence.show().then(String, (error: pg.DatabaseError) => error.code)).to.be.oneOf([
          '55P03',
          '57014',
        ]);
      }
      const released = eventually(async () => ((await connections()) === 0 ? true : undefined));
      await awaited('the presence of a process', 'release its connection after it got no lock', released);
    } finally {
      await before.end();
    }
    await presence.show();
    expect(await connections()).to.equal(1);
    await presence.close();
  });

  it('answer calls with keys as unavailable, and not as too many, where only first answers are out of reach', async () => {
    const call = () =>
      fetch(`${client}/api/v1/sessions`, {
        method: 'POST',
        headers: { ...basic('root', PASSWORD), 'content-type': 'application/json', 'idempotency-key': 'key-1' },
        body: JSON.stringify({ transaction: 'TSO' }),
      });
    const { folder: host, port } = database;
    const holder = new pg.Client({ host, port, user: 'postgres', database: 'postgres' });
    await holder.connect();
    await holder.query('begin; lock table sallyport.idempotency in access exclusive mode');
    const reply = await call().finally(() => holder.end());
    const problem = (await reply.json()) as { readonly code: string };
    expect([reply.status, reply.headers.get('retry-after'), problem.code]).to.deep.equal([
      503,
      '5',
      'store-unavailable',
    ]);
    expect((await call()).status).to.equal(201);
  });

  it('answer the same where a statement takes too long', async () => {
    const locked = database.run(
      'begin; lock table sallyport.users_version in access exclusive mode; select pg_sleep(60)',
    );
    const failed = locked.catch(() => undefined);
    const { text: _, ...reply } = await eventually(async () => {
      const answered = await facts(await ask(one));
      return answered.status === 200 ? undefined : answered;
    });
    expect(reply).to.deep.equal({ status: 503, ...waiting });
    await database.end();
    await failed;
    await database.begin();
    await eventually(async () => ((await ask(one)).status === 200 ? true : undefined));
  });
});
