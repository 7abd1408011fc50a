import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { Database } from '../../../src/cluster/postgresql/database.js';
import type { DatabaseHost } from '../../../src/cluster/postgresql/database-definition.js';
import { migrate } from '../../../src/cluster/postgresql/migrate.js';
import { ProcessPresence } from '../../../src/cluster/postgresql/process-presence.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { sallyportInProcess } from '../../cli/command-in-process.js';
import { DatabaseLine } from '../../support/database-line.js';
import { eventually } from '../../support/eventually.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { SignOnClient } from '../../support/sign-on-client.js';
import { ADMINISTRATOR, ClusterOfTwo, type Node } from './cluster-of-two.js';
import { upload } from './portal-requests.js';

/** A primary and its standby, both in the address of the servers. */
describe('several hosts of PostgreSQL', () => {
  let primary: PostgresqlServer;
  let standby: PostgresqlServer;
  const databases: Database[] = [];
  const lines: DatabaseLine[] = [];
  let cluster: ClusterOfTwo;

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    primary = await PostgresqlServer.start();
    standby = await primary.standby();
    for (const one of [standby, primary]) lines.push(await DatabaseLine.to(one));
    cluster = new ClusterOfTwo(primary);
    await cluster.addAdministrator();
  });
  after(async () => {
    await cluster?.remove();
    for (const line of lines) line.close();
    await standby?.remove();
    await primary?.remove();
  });
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.close();
  });

  const place = ({ folder: host, port }: PostgresqlServer) => ({ host, port });
  /** A port at which nothing listens. */
  async function closedPort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return { host: '127.0.0.1', port };
  }
  const definition = (...hosts: readonly DatabaseHost[]) => ({
    ...primary.definition(),
    hosts,
  });
  function statementsAt(...hosts: readonly DatabaseHost[]) {
    const database = new Database(definition(...hosts), silentLog);
    databases.push(database);
    return database.for('SVC_ERR_STORE_UNAVAILABLE');
  }
  const isStandby = "select count(*)::int as count from pg_stat_activity where application_name = 'walreceiver'";

  it('are tried in order for pools, presence and migration: a closed port and a standby are skipped', async () => {
    const hosts = [await closedPort(), place(standby), place(primary)] as const;
    const statements = statementsAt(...hosts);
    const found = await statements.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers');
    expect(found).to.deep.equal([{ recovers: false }]);
    await statements.query("insert into sallyport.node_news (at, text) values (0, 'hosts')");
    const presence = new ProcessPresence(definition(...hosts));
    await presence.show();
    const shown = await primary.run(`select from pg_locks where locktype = 'advisory' and objid = ${presence.number}`);
    expect(shown.length).to.equal(1);
    await presence.close();
    const owner = { ...definition(...hosts), user: 'postgres' };
    expect((await migrate(owner)).before).to.be.greaterThan(0);
    expect((await primary.run(isStandby)).length).to.equal(1);
  });

  it('that cannot be used are all named, with their reasons', async () => {
    const closed = await closedPort();
    const error = await statementsAt(closed, place(standby))
      .query('select')
      .catch((thrown: unknown) => thrown);
    const { code, detail } = error as { code: string; detail: string };
    expect(code).to.equal('SVC_ERR_STORE_UNAVAILABLE');
    expect(detail)
      .to.include(`127.0.0.1:${closed.port}: `)
      .and.include(`${standby.folder}:${standby.port}: the database is read-only`);
  });

  it('that say nothing do not use up the time of the others, and are not asked again while another one serves', async () => {
    const taken: Socket[] = [];
    const silent: Server = createServer((socket) => taken.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    try {
      // it has a minute for a single host, so this passes only if a host of several has less
      const statements = statementsAt({ host: '127.0.0.1', port }, place(primary));
      await statements.query('select');
      expect(taken.length).to.equal(1);
      await Promise.all([1, 2, 3].map(() => statements.query('select pg_sleep(0.1)')));
      expect(taken.length).to.equal(1);
    } finally {
      for (const socket of taken) socket.destroy();
      silent.close();
    }
  });

  it('lead servers to the new primary after a fail-over: 503 meanwhile, and nothing confirmed is lost', async () => {
    const [toStandby, toPrimary] = lines.map(({ port }) => `127.0.0.1:${port}`);
    const url = (hosts: string) => `postgresql: 'postgres://sallyport@${hosts}/postgres?sslmode=disable'`;
    const node: Node = await cluster.begin('a', {
      store: `${url(`${toStandby},${toPrimary}`)}, statementSeconds: 1, connectSeconds: 1`,
      settings: 'macros: ./data-a/macros',
    });
    await primary.run("alter system set synchronous_standby_names = '*'");
    await primary.run('select pg_reload_conf()');
    await eventually(async () => {
      const rows = await primary.run<{ state: string }>('select sync_state as state from pg_stat_replication');
      return rows[0]?.state === 'sync' ? true : undefined;
    });
    expect((await upload(node.portal, 'confirmed')).status).to.equal(200);
    await primary.end();
    const refused = await upload(node.portal, 'refused');
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5']);
    await standby.run('select pg_promote()');
    await eventually(async () => ((await upload(node.portal, 'promoted')).status === 200 ? true : undefined));
    const kept = await standby.run<{ bytes: Buffer }>('select bytes from sallyport.macro_versions order by number');
    const texts = kept.map(({ bytes }) => /"txt": ?"([^"]*)"/.exec(bytes.toString())?.[1]);
    expect(texts).to.deep.equal(['confirmed', 'promoted']);
    const { name, password } = ADMINISTRATOR;
    expect((await new SignOnClient(node.portal).signOn('/', name, password)).status).to.equal(303);
    for (const command of [['audit', 'verify'], ['doctor']]) {
      const words = [...command, '--config', join(cluster.folder, 'a.yaml')];
      const { code, stdout, stderr } = await sallyportInProcess(words, { folder: cluster.folder });
      if (command[0] === 'audit') expect(code, stderr).to.equal(0);
      else expect(stdout).to.match(/^OK +PostgreSQL/m);
    }
  });

  it('whose synchronous standby is gone confirm nothing, and go on when they no longer wait for it', async () => {
    // the former standby is the primary now, and waits for another one that is not there
    const node = cluster.nodes[0] as Node;
    const set = (words: string) => standby.run(words).then(() => standby.run('select pg_reload_conf()'));
    await set("alter system set synchronous_standby_names = 'gone'");
    await eventually(async () => {
      const { status } = await upload(node.portal, 'not replicated');
      return status === 503 ? true : undefined;
    });
    await set('alter system reset synchronous_standby_names');
    await eventually(async () => ((await upload(node.portal, 'alone')).status === 200 ? true : undefined));
  });

  it('that vanish without a word lose the connection that shows a process to others', async () => {
    await primary.begin();
    const [line] = lines as [DatabaseLine];
    const presence = new ProcessPresence(definition({ host: '127.0.0.1', port: line.port }, place(primary)));
    const shownAt = async (server: PostgresqlServer) =>
      (await server.run(`select from pg_locks where locktype = 'advisory' and objid = ${presence.number}`)).length;
    await presence.show();
    expect([await shownAt(standby), await shownAt(primary)]).to.deep.equal([1, 0]);
    line.cut();
    await eventually(async () => {
      await presence.show();
      return (await shownAt(primary)) === 1 ? true : undefined;
    });
    line.mend();
    await presence.close();
  });
});
