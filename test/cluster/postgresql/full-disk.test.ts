import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { openStore } from '../../../src/config/open-store.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { CookieClient } from '../../support/cookie-client.js';
import { eventually } from '../../support/eventually.js';
import { need, skipUnless } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { SignOnClient, type SignOnReply } from '../../support/sign-on-client.js';
import { SmallDisk } from '../../support/small-disk.js';
import { PortalClient } from '../../web/portal-client.js';
import { ADMINISTRATOR, begun, ClusterOfTwo, type Node } from './cluster-of-two.js';
import { ask, upload } from './portal-requests.js';

const { name, password } = ADMINISTRATOR;
const MEBIBYTES = 128;
/** Random, so that a version takes as much on the disk. */
const MACRO_BYTES = 12_000;

/** PostgreSQL with a small disk of its own, which is filled up. */
describe('servers whose database has no room left on its disk', () => {
  let disk: SmallDisk | undefined;
  let database: PostgresqlServer;
  let cluster: ClusterOfTwo;
  let nodes: readonly Node[];
  let administrator: PortalClient;
  let groups = 0;
  const acknowledged: string[] = [];

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    disk = SmallDisk.ifAllowed(MEBIBYTES);
    skipUnless(this, disk !== undefined, 'no disk can be mounted');
    database = await PostgresqlServer.start(undefined, disk?.folder);
    cluster = new ClusterOfTwo(database);
    await cluster.addAdministrator();
    const settings = 'macros: ./data/macros';
    const node = await cluster.begin('a', { settings });
    nodes = [node, await cluster.begin('b', { settings })];
    administrator = await PortalClient.signedOn({ portalUrl: node.portal }, ADMINISTRATOR);
  });
  afterEach(() => disk?.empty());
  after(async () => {
    await cluster?.remove();
    await database?.remove();
    disk?.remove();
  });

  const signOn = (node: Node) => new SignOnClient(node.portal).signOn('/', name, password);

  function makeGroup(): Promise<SignOnReply> {
    groups += 1;
    return administrator.post('/groups', { GROUP: `G${groups}` });
  }

  /** Done, or refused for now: what it is. */
  function facts({ status, headers }: { readonly status: number; readonly headers: Headers }): number {
    expect(status).to.be.oneOf([200, 303, 503]);
    if (status === 503) expect(headers.get('retry-after')).to.equal('5');
    return status;
  }

  async function uploaded(node: Node): Promise<number> {
    const text = randomBytes(MACRO_BYTES).toString('base64');
    const reply = await upload(node.portal, text);
    const status = facts(reply);
    if (status === 200) acknowledged.push(text);
    return status;
  }

  /** Sessions with hosts go on and begin; all else is done, or refused for now. */
  async function doWhatTheyCan(sessions: readonly Awaited<ReturnType<typeof begun>>[]): Promise<void> {
    for (const { browser, action } of sessions) expect((await browser.get(action)).status).to.equal(200);
    facts(await makeGroup());
    for (const node of nodes) {
      expect((await new CookieClient(node.client).get('/TERMINAL.HTML+TSO')).status).to.equal(200);
      facts(await ask(node.portal));
      facts(await signOn(node));
    }
  }

  /** As before, with all that was acknowledged. */
  async function goOn(): Promise<void> {
    for (const node of nodes) {
      await eventually(async () => ((await uploaded(node)) === 200 ? true : undefined));
      await eventually(async () => ((await signOn(node)).status === 303 ? true : undefined));
      expect((await ask(node.portal)).status).to.equal(200);
    }
    expect((await makeGroup()).status).to.equal(303);
    const versions = await database.run<{ bytes: Buffer }>('select bytes from sallyport.macro_versions');
    const kept = versions.map(({ bytes }) => bytes.toString()).join();
    for (const text of acknowledged) expect(kept.includes(text)).to.equal(true);
    const stores = await openStore(await cluster.configuration('x'), silentLog);
    try {
      const verified = await stores?.verifyAudit();
      expect(verified?.kind).to.equal('unbroken');
    } finally {
      await stores?.close();
    }
  }

  it('refuse what cannot be kept, keep what was acknowledged and all sessions, and go on when there is room', async () => {
    const sessions = await Promise.all(nodes.map(begun));
    disk?.fill();
    for (const node of nodes) await eventually(async () => ((await uploaded(node)) === 503 ? true : undefined));
    expect(nodes.map(({ log }) => log()).join()).to.include('No space left on device');
    await doWhatTheyCan(sessions);
    disk?.empty();
    await goOn();
    await doWhatTheyCan(sessions);
  });

  it('do the same where PostgreSQL ends because it cannot go on with its log of changes, and is started again', async () => {
    const sessions = await Promise.all(nodes.map(begun));
    disk?.fill();
    await eventually(async () => {
      await database.run('select pg_switch_wal()').catch(() => {});
      await Promise.all(nodes.map(uploaded));
      return database.hasEnded || undefined;
    });
    for (const node of nodes) expect([await uploaded(node), facts(await signOn(node))]).to.deep.equal([503, 503]);
    expect(facts(await makeGroup())).to.equal(503);
    await doWhatTheyCan(sessions);
    disk?.empty();
    await database.begin();
    await goOn();
    await doWhatTheyCan(sessions);
  });
});
