import { ADMINISTRATOR, begun, ClusterOfTwo } from '../../test/cluster/postgresql/cluster-of-two.js';
import { ask, upload } from '../../test/cluster/postgresql/portal-requests.js';
import { PostgresqlServer } from '../../test/support/postgresql.js';
import { SignOnClient, type SignOnReply } from '../../test/support/sign-on-client.js';

export interface StatementFigures {
  readonly act: string;
  /** For each phase, by the first table of a statement; `begin` counts transactions. */
  readonly statements: Readonly<Record<string, number>>;
}

const TIMES = 20;
const { name, password } = ADMINISTRATOR;
/** Periodic statements of each server, independent of users. */
const BEATS = /^(?:nodes|node_news)$/;

export async function statements(): Promise<readonly StatementFigures[]> {
  const database = await PostgresqlServer.start();
  await database.run("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await database.end();
  await database.begin();
  await database.run('create extension pg_stat_statements');
  const cluster = new ClusterOfTwo(database);
  try {
    await cluster.addAdministrator();
    const node = await cluster.begin('a', { settings: 'macros: ./data/macros' });

    const client = new SignOnClient(node.client);
    const signOn = () => new SignOnClient(node.portal).signOn('/', name, password).then(expectStatus(303));
    const wrong = () => new SignOnClient(node.portal).signOn('/', name, `${password}-wrong`);
    const found: StatementFigures[] = [];
    const count = async (act: string, work: () => Promise<unknown>, times = TIMES) => {
      await database.run('select pg_stat_statements_reset()');
      for (let time = 0; time < times; time++) await work();
      found.push({ act, statements: await counted(database, times) });
    };
    await count('first sign-on of a user at a server', signOn, 1);
    await count('further sign-on', signOn);
    await count('sign-on with a wrong password', wrong, 1);
    const portal = new SignOnClient(node.portal);
    await portal.signOn('/', name, password).then(expectStatus(303));
    await count('page of the portal', () => portal.request('/users').then(expectStatus(200)));
    await count('request of a program with a password', () => ask(node.portal));
    let uploads = 0;
    await count('upload of macros', () => upload(node.portal, `text ${uploads++}`));
    await count('terminal that needs no sign-on begins', () => begun(node), 3);
    const { browser, action } = await begun(node);
    await count('its next request', () => browser.get(action));
    const form = '/TERMINAL.HTML+FORM';
    await client.signOn(form, name, password).then(expectStatus(303));
    await count('terminal of a user begins', () => client.request(form).then(expectStatus(200)), 3);
    return found;
  } finally {
    await cluster.remove();
    await database.remove();
  }
}

function expectStatus(expected: number): (reply: SignOnReply) => void {
  return ({ status }) => {
    if (status !== expected) throw new Error(`answered with ${status}`);
  };
}

async function counted(database: PostgresqlServer, times: number): Promise<Readonly<Record<string, number>>> {
  const rows = await database.run<{ calls: string; query: string }>(
    "select calls, query from pg_stat_statements join pg_roles on oid = userid where rolname = 'sallyport'",
  );
  const sums = new Map<string, number>();
  for (const { calls, query } of rows) {
    const of = query === 'BEGIN' ? 'begin' : /sallyport\.(?<table>\w+)/.exec(query)?.groups?.table;
    if (of !== undefined && !BEATS.test(of)) sums.set(of, (sums.get(of) ?? 0) + Number(calls) / times);
  }
  return Object.fromEntries([...sums].sort(([one], [other]) => one.localeCompare(other)));
}
