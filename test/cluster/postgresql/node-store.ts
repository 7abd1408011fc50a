import { expect } from 'chai';
import type { ClusterChange, NodeReport } from '../../../src/cluster/nodes/node-store.js';
import { Database } from '../../../src/cluster/postgresql/database.js';
import { PostgresqlNodeStore } from '../../../src/cluster/postgresql/postgresql-node-store.js';
import { PostgresqlUsersDocuments } from '../../../src/cluster/postgresql/postgresql-users-documents.js';
import { ProcessPresence } from '../../../src/cluster/postgresql/process-presence.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { eventually } from '../../support/eventually.js';
import type { PostgresqlServer } from '../../support/postgresql.js';

/** From then on the code of a node is taken over whose connection the database still has: docs/run/scale.md. */
const ABANDONED_SECONDS = 15;

/** The nodes of a cluster, as they find each other; the server is running. */
export function itIsAStoreOfNodes(running: () => PostgresqlServer): void {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await running().run('delete from sallyport.nodes; delete from sallyport.node_news');
  });

  function process() {
    const database = new Database(running().definition(), silentLog);
    const presence = new ProcessPresence(running().definition());
    opened.push(presence, database);
    const store = new PostgresqlNodeStore(database, presence);
    const heard: ClusterChange[] = [];
    store.listen((what) => heard.push(what));
    const begin = (code: string) => store.report(reportOf(code));
    /** Whether it hears of that, whatever it has heard before. */
    const hears = async (what: ClusterChange, act: () => Promise<unknown>) => {
      heard.length = 0;
      await act();
      await eventually(() => (heard.includes(what) ? true : undefined));
    };
    return { database, presence, store, begin, hears };
  }
  const reportOf = (code: string, state: NodeReport['state'] = 'up') => ({
    code,
    address: '',
    version: '1',
    state,
    sessions: 0,
  });

  const silentFor = (seconds: number) =>
    running().run(
      `update sallyport.nodes set heartbeat = (extract(epoch from clock_timestamp()) * 1000)::bigint - ${seconds * 1_000}`,
    );

  it('has one key for all that ask at once, of 32 random bytes', async () => {
    await running().run('delete from sallyport.cluster_key');
    const stores = [process(), process(), process()].map(({ store }) => store);
    const keys = await Promise.all([...stores, ...stores].map((store) => store.sealKey()));
    expect(new Set(keys.map((key) => key.toString('hex')))).to.have.length(1);
    expect(keys[0]).to.have.length(32);
    await running().run('delete from sallyport.cluster_key');
    expect((await process().store.sealKey()).equals(keys[0] ?? Buffer.alloc(0))).to.equal(false);
  });

  it('tells each of what the others change: nodes, news and users', async () => {
    const [one, other] = [process(), process()];
    await one.begin('a');
    await one.hears('nodes', () => other.begin('b'));
    await one.hears('nodes', () => other.store.report(reportOf('b', 'draining')));
    await one.hears('nodes', () => other.store.tell('a sign-off'));
    expect((await one.store.look()).news).to.deep.equal(['a sign-off']);
    const users = new PostgresqlUsersDocuments(other.database);
    await one.hears('users', () => users.change((document, write) => write(document)));
    await one.hears('nodes', () => other.store.remove('b'));
    expect((await one.store.look()).nodes.map(({ code }) => code)).to.deep.equal(['a']);
  });

  it('has whoever was cut off take it that anything has changed, when it reports again', async () => {
    const [one, other] = [process(), process()];
    await one.begin('a');
    await other.begin('b');
    const ofOne = `pg_locks where locktype = 'advisory' and objid = ${one.presence.number}`;
    await running().run(`select pg_terminate_backend(pid) from ${ofOne}`);
    await eventually(async () => ((await running().run(`select from ${ofOne}`)).length === 0 ? true : undefined));
    await other.store.tell('told meanwhile');
    await one.hears('users', () => eventually(() => one.begin('a').catch(() => undefined)));
    await one.hears('nodes', () => other.store.tell('told afterwards'));
    expect((await one.store.look()).news).to.deep.equal(['told meanwhile', 'told afterwards']);
  });

  it('lists the sessions of the others, and none of those that have been silent for too long', async () => {
    const [one, other] = [process(), process()];
    await one.begin('a');
    await other.begin('b');
    await other.store.keepSessions('b', [['b-1', 'facts']], []);
    await silentFor(ABANDONED_SECONDS - 5);
    expect(await one.store.sessionsElsewhere('a')).to.deep.equal(['facts']);
    await silentFor(ABANDONED_SECONDS);
    expect(await one.store.sessionsElsewhere('a')).to.deep.equal([]);
    // it was only cut off
    await other.begin('b');
    expect(await one.store.sessionsElsewhere('a')).to.deep.equal(['facts']);
  });

  it('gives a code to one process, and to another one when that is gone, or has been silent for too long', async () => {
    const [one, other, third] = [process(), process(), process()];
    expect(await one.begin('a')).to.deep.equal({ isNew: true });
    expect(await other.begin('a')).to.equal(undefined);
    // its machine may only be slow; a second and more of work is far away
    await silentFor(ABANDONED_SECONDS - 5);
    expect(await other.begin('a')).to.equal(undefined);
    // the database still has its connection: nobody told it that the machine is gone
    await silentFor(ABANDONED_SECONDS);
    expect(await other.begin('a')).to.deep.equal({ isNew: true });
    expect(await one.begin('a')).to.equal(undefined);
    // a process that has died has lost its connection at once
    await other.presence.close();
    await eventually(() => third.begin('a'));
  });
}
