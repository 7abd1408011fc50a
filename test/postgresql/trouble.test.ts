import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type RunningServer, startServer } from '../../src/composition/server.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { openUsers } from '../../src/config/open-users.js';
import { silentLog } from '../../src/log.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';
import { CookieClient } from '../support/cookie-client.js';
import { eventually } from '../support/eventually.js';
import { need } from '../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../support/postgresql.js';
import { projectFolder } from '../support/project.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';

const PASSWORD = 'correct horse battery';
const headers = basic('root', PASSWORD);
const waiting = { 'retry-after': '5' };

/** Two servers on one database: one process here, two in what they know of each other. */
describe('two servers that share PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-shared-'));
  const servers: RunningServer[] = [];
  let database: PostgresqlServer;
  let [one, other] = ['', ''];
  let client = '';

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    const [pages, portal] = ['pages', 'portal'].map((name) => join(projectFolder, 'templates', name));
    const file = join(folder, 'sallyport.yaml');
    writeFileSync(
      file,
      `data: ./data
directories: { CLI-DIR: '${pages}', ADM-DIR: '${portal}' }
macros: ./data/macros
store: { postgresql: 'postgres://sallyport@localhost:${database.port}/postgres?host=${database.folder}', statementSeconds: 1 }
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
log: { level: silent }
sessions: { keysReady: 1 }
lines:
  W-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration }
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI }
entryPoints:
  WEB2HOST: { directory: ADM-DIR, transactions: {} }
  CLI: { directory: CLI-DIR, transactions: { TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML } } }
`,
    );
    const loaded = await loadConfiguration(file);
    const configuration = { ...loaded.configuration, passwordCost: CHEAP_PASSWORDS };
    const users = await openUsers(configuration);
    const actor = { who: 'test', from: 'test' };
    const root = { name: 'root', role: 'administrator', groups: [], expires: undefined } as const;
    await users.administration.addUser(actor, root, PASSWORD);
    await users.close();
    for (const _ of ['one', 'other']) servers.push(await startServer(configuration, silentLog));
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

  async function upload(url: string, text: string): Promise<Response> {
    const form = new FormData();
    const body = JSON.stringify({ macros: [{ name: 'm', rev: 1, def: [{ txt: text }] }], fmt: 2 });
    form.append('file', new Blob([body], { type: 'application/json' }), 'macros.json');
    return fetch(`${url}/SECURE/upload.txt+uplglb`, { method: 'POST', headers, body: form });
  }
  const ask = (url = one) => fetch(`${url}/SECURE/capabilityCode.json+USRCAP?USER=root`, { headers });
  const current = () =>
    database.run<{ bytes: Buffer }>('select bytes from sallyport.macro_versions order by number desc limit 1');
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
    const terminal = new CookieClient(client);
    const action = await terminal.open('/TERMINAL.HTML+TSO');
    expect((await upload(one, 'acknowledged')).status).to.equal(200);
    const [before] = await current();
    await database.end();
    const [read, written] = [await facts(await ask()), await facts(await upload(other, 'refused'))];
    for (const { text, ...reply } of [read, written]) {
      expect(reply).to.deep.equal({ status: 503, ...waiting });
      expect(text).to.not.include('PostgreSQL').and.not.include(database.folder);
    }
    // a session with a host needs no database
    const { status } = await terminal.get(action);
    expect(status).to.equal(200);
    await database.begin();
    for (const url of [one, other]) {
      await eventually(async () => ((await ask(url)).status === 200 ? true : undefined));
    }
    expect((await current())[0]?.bytes.toString()).to.equal(before?.bytes.toString());
    expect((await upload(other, 'again')).status).to.equal(200);
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

  it('answer the same where a statement takes too long', async () => {
    const locked = database.run(
      'begin; lock table sallyport.users_version in access exclusive mode; select pg_sleep(60)',
    );
    const failed = locked.catch(() => undefined);
    const { text: _, ...reply } = await eventually(async () => {
      const answered = await facts(await ask());
      return answered.status === 200 ? undefined : answered;
    });
    expect(reply).to.deep.equal({ status: 503, ...waiting });
    await database.end();
    await failed;
    await database.begin();
    await eventually(async () => ((await ask()).status === 200 ? true : undefined));
  });
});
