import { join } from 'node:path';
import { expect } from 'chai';
import { sallyportInProcess } from '../../cli/command-in-process.js';
import { CookieClient } from '../../support/cookie-client.js';
import { DatabaseLine } from '../../support/database-line.js';
import { eventually } from '../../support/eventually.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { basic, SignOnClient } from '../../support/sign-on-client.js';
import { WatchedServer } from '../../support/watched-server.js';
import { ADMINISTRATOR, ClusterOfTwo } from './cluster-of-two.js';

const headers = basic(ADMINISTRATOR.name, ADMINISTRATOR.password);
const WAITING = [503, '5'];

/** Two servers, each a process of its own. Server a reaches PostgreSQL over a line that can be cut. */
describe('the line between one of two servers and PostgreSQL', () => {
  const processes = new Map<string, WatchedServer>();
  let database: PostgresqlServer;
  let standby: PostgresqlServer | undefined;
  let line: DatabaseLine;
  let cluster: ClusterOfTwo;
  let [a, b] = [
    { client: '', portal: '', management: '' },
    { client: '', portal: '', management: '' },
  ];

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    line = await DatabaseLine.to(database);
    cluster = new ClusterOfTwo(database);
    await cluster.addAdministrator();
    const begun = async (code: string, changes: { store?: string }) => {
      await cluster.configuration(code, { ...changes, settings: `macros: ./data-${code}/macros` });
      const server = new WatchedServer(cluster.folder, join(cluster.folder, `${code}.yaml`));
      processes.set(code, server);
      const [client, portal, management] = await Promise.all(
        ['C-HTTP', 'W-HTTP', 'management'].map((name) => server.urlOf(name)),
      );
      return { client: client ?? '', portal: portal ?? '', management: management ?? '' };
    };
    const far = { store: `postgresql: '${line.url}', statementSeconds: 1, connectSeconds: 1` };
    [a, b] = await Promise.all([begun('a', far), begun('b', {})]);
  });
  after(async () => {
    await Promise.all([...processes.values()].map((one) => one.kill()));
    line?.close();
    await cluster?.remove();
    await standby?.remove();
    await database?.remove();
  });

  const answer = (reply: { status: number; headers: Headers }) => [reply.status, reply.headers.get('retry-after')];
  async function upload({ portal }: typeof a, text: string): Promise<Response> {
    const form = new FormData();
    const body = JSON.stringify({ macros: [{ name: 'm', rev: 1, def: [{ txt: text }] }], fmt: 2 });
    form.append('file', new Blob([body], { type: 'application/json' }), 'macros.json');
    return fetch(`${portal}/SECURE/upload.txt+uplglb`, { method: 'POST', headers, body: form });
  }
  const uploaded = (server: typeof a, text: string) =>
    eventually(async () => ((await upload(server, text)).status === 200 ? true : undefined));
  /** Texts of all versions of the macros, the newest first. */
  async function versions(of: PostgresqlServer): Promise<readonly string[]> {
    const rows = await of.run<{ bytes: Buffer }>('select bytes from sallyport.macro_versions order by number desc');
    return rows.map(({ bytes }) => /"txt": ?"([^"]*)"/.exec(bytes.toString())?.[1] ?? '');
  }
  async function verified(): Promise<void> {
    const { code, stderr } = await sallyportInProcess(['audit', 'verify', '--config', join(cluster.folder, 'b.yaml')], {
      folder: cluster.folder,
    });
    expect(code, stderr).to.equal(0);
  }

  it('is cut: sessions of that server go on, what it cannot keep is answered with 503, the other one goes on', async () => {
    const [user, portalOfA, portalOfB] = [
      new CookieClient(a.client),
      new SignOnClient(a.portal),
      new SignOnClient(b.portal),
    ];
    const action = await user.open('/TERMINAL.HTML+TSO');
    const form = await portalOfA.request('/users');
    const atB = new CookieClient(b.client);
    for (const [name, value] of user.cookies) atB.cookies.set(name, value);
    expect((await upload(a, 'before')).status).to.equal(200);
    line.cut();
    const refused = await Promise.all([
      upload(a, 'cut off'),
      portalOfA.post('/users', portalOfA.fieldsFor(form.text, ADMINISTRATOR.name, ADMINISTRATOR.password)),
    ]);
    for (const reply of refused) expect(answer(reply)).to.deep.equal(WAITING);
    expect((await user.get(action)).status).to.equal(200);
    expect((await new CookieClient(a.client).get('/TERMINAL.HTML+TSO')).status, 'a new session').to.equal(200);
    // the other one has not heard of it, passes requests on all the same, and does its own work
    await eventually(async () => {
      const metrics = await (await fetch(`${b.management}/metrics`)).text();
      return metrics.includes('sallyport_nodes{state="gone"} 1') ? true : undefined;
    });
    expect((await atB.get(action)).status).to.equal(200);
    expect((await upload(b, 'meanwhile')).status).to.equal(200);
    expect((await portalOfB.signOn('/users', ADMINISTRATOR.name, ADMINISTRATOR.password)).status).to.equal(303);
    line.mend();
    await uploaded(a, 'mended');
    // its sign-ons are those of the other one, and it is there again for it
    for (const [name, value] of portalOfB.cookies) portalOfA.cookies.set(name, value);
    expect((await portalOfA.request('/users')).status).to.equal(200);
    await eventually(async () => {
      const metrics = await (await fetch(`${b.management}/metrics`)).text();
      return metrics.includes('sallyport_nodes{state="up"} 2') ? true : undefined;
    });
    expect((await atB.get(action)).status).to.equal(200);
    // nothing that came late is above what was acknowledged meanwhile
    const kept = (await versions(database)).filter((text) => text !== 'cut off');
    expect(kept).to.deep.equal(['mended', 'meanwhile', 'before']);
    expect((await versions(database))[0]).to.equal('mended');
    await verified();
  });

  it('leads to a standby after a fail-over: what was acknowledged is there, 503 until it is promoted, then all goes on', async () => {
    standby = await database.standby();
    const user = new CookieClient(a.client);
    const action = await user.open('/TERMINAL.HTML+TSO');
    await database.run("alter system set synchronous_standby_names = '*'");
    await database.run('select pg_reload_conf()');
    await eventually(async () => {
      const rows = await database.run<{ state: string }>('select sync_state as state from pg_stat_replication');
      return rows[0]?.state === 'sync' ? true : undefined;
    });
    expect((await upload(a, 'acknowledged')).status).to.equal(200);
    line.leadTo(standby);
    await database.end();
    // a busy machine may have other reasons first
    await eventually(async () => {
      expect(answer(await upload(a, 'refused'))).to.deep.equal(WAITING);
      return processes.get('a')?.output.includes('the database is read-only') ? true : undefined;
    });
    expect((await user.get(action)).status).to.equal(200);
    expect((await versions(standby))[0]).to.equal('acknowledged');
    await standby.run('select pg_promote()');
    await uploaded(a, 'promoted');
    expect((await versions(standby)).slice(0, 2)).to.deep.equal(['promoted', 'acknowledged']);
    expect((await user.get(action)).status).to.equal(200);
  });
});
