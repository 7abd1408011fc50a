import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfiguration } from '../../../src/config/load-configuration.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { type RunningServer, startServer } from '../../../src/server/server.js';
import { sallyportInProcess } from '../../cli/command-in-process.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { projectFolder } from '../../support/project.js';
import { setClock, setClockBack } from '../../support/set-clock.js';
import { ADMINISTRATOR } from './cluster-of-two.js';
import { ask, upload } from './portal-requests.js';

const { password: PASSWORD } = ADMINISTRATOR;
const DAY = 86_400_000;
const NEWEST = 5;

describe('commands with a database, and what a server does with a bad one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-database-'));
  const file = join(folder, 'sallyport.yaml');
  let database: PostgresqlServer;
  let server: RunningServer | undefined;

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    writeFileSync(
      file,
      `data: ./data
directories: { ADM-DIR: '${join(projectFolder, 'templates', 'portal')}' }
macros: ./data/macros
tct: { DEFUTF8: IBM1147 }
store: { postgresql: 'postgres://sallyport@localhost:${database.port}/postgres?host=${database.folder}' }
log: { level: silent }
lines: { W-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration } }
entryPoints: { WEB2HOST: { directory: ADM-DIR, transactions: {} } }
`,
    );
  });
  after(async () => {
    await server?.stop();
    await database?.remove();
    rmSync(folder, { recursive: true });
  });

  const sallyport = (args: readonly string[], input = '') =>
    sallyportInProcess([...args, '--config', file], { folder, input });
  const owner = () => `postgres://postgres@localhost:${database.port}/postgres?host=${database.folder}`;
  const migrate = () => sallyport(['store', 'migrate', '--url', owner(), '--role', 'sallyport']);
  const doctor = async () => {
    const { stdout } = await sallyport(['doctor', '--offline', '--json']);
    const findings = stdout
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as { check: string; state: string; detail: string });
    return findings.find(({ check }) => check === 'PostgreSQL');
  };

  it('store migrate makes the schema once, and brings an older one to this version', async () => {
    await database.run('drop schema sallyport cascade');
    expect((await doctor())?.state).to.equal('FAULT');
    expect(await migrate()).to.deep.equal({ code: 0, stdout: `The schema has version ${NEWEST} now.\n`, stderr: '' });
    expect((await migrate()).stdout).to.equal(`The schema already has version ${NEWEST}.\n`);
    await database.run(
      `drop table sallyport.node_news, sallyport.node_sessions, sallyport.nodes, sallyport.cluster_key;
      drop table sallyport.removed_users; drop function sallyport.number_user, sallyport.note_removed_user cascade;
      alter table sallyport.users drop column id, drop column changed; alter table sallyport.directory_keys drop column identity;
      update sallyport.schema_version set version = 1`,
    );
    expect((await doctor())?.detail)
      .to.include('version 1')
      .and.to.include('sallyport store migrate');
    expect((await migrate()).stdout).to.equal(`The schema has version ${NEWEST} now.\n`);
    expect(await doctor()).to.include({ state: 'OK' });
    // the role of the servers may not
    const refused = await sallyport(['store', 'migrate']);
    expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
    expect(refused.stderr).to.match(
      /^Not migrated: PostgreSQL: (?:permission denied|must be owner).*: --url names the owner\n$/,
    );
  });

  it('say that the database asks for a password where they have none', async () => {
    await database.askForPassword(true);
    const url = `postgres://sallyport@localhost:${database.port}/postgres?host=${database.folder}`;
    const migration = await sallyport(['store', 'migrate', '--url', url]);
    const finding = await doctor();
    await database.askForPassword(false);
    const words = 'it requires a password, but the configuration gives none';
    expect([migration.code, migration.stderr]).to.deep.equal([1, `Not migrated: PostgreSQL: ${words}\n`]);
    expect(finding?.detail).to.equal(`store.postgresql cannot be used: PostgreSQL: ${words}`);
  });

  it('doctor says how far the clock of the database is from its own', async () => {
    const told = async () => {
      const { stdout } = await sallyport(['doctor', '--offline', '--json']);
      const [row = ''] = stdout.split('\n').filter((line) => line.includes('"clock of PostgreSQL"'));
      return JSON.parse(row) as { state: string; detail: string };
    };
    expect(await told()).to.include({ state: 'OK' });
    // in the place of PostgreSQL's own
    await database.run(
      `create schema later; grant usage on schema later to sallyport;
       create function later.clock_timestamp() returns timestamptz language sql
         as 'select pg_catalog.clock_timestamp() + interval ''3 hours''';
       alter role sallyport set search_path = later, pg_catalog`,
    );
    try {
      const { state, detail } = await told();
      expect(state).to.equal('WARNING');
      expect(detail).to.match(/^is (3 h|2 h 59 min).* ahead of the clock of this machine$/);
    } finally {
      await database.run('alter role sallyport reset search_path; drop schema later cascade');
    }
  });

  it('token list says which have ended by the clock of the database', async () => {
    expect((await sallyport(['token', 'add', 'DAY', '--scope', 'operation', '--expires', '1d'])).code).to.equal(0);
    setClock(2 * DAY);
    try {
      expect((await sallyport(['token', 'list'])).stdout).to.match(/^DAY +operation +until /);
    } finally {
      setClockBack();
    }
    await database.run("update sallyport.tokens set expires = '2026-01-01T00:00:00.000Z'");
    expect((await sallyport(['token', 'list'])).stdout).to.match(/^DAY +operation +expired /);
    await database.empty();
  });

  it('user takes more users than a file does, and copies no more of them into one than it takes', async () => {
    // the number of users of the report
    await database.run(`
      insert into sallyport.users (name, folded, role, groups)
        select 'U' || n, 'u' || n, 'user', '{}' from generate_series(1, 20180) n;
      update sallyport.users_version set version = version + 1`);
    try {
      const added = await sallyport(['user', 'add', 'NEXT', '--role', 'user', '--password-stdin'], PASSWORD);
      expect(added.code, added.stderr).to.equal(0);
      const listed = await sallyport(['user', 'list']);
      expect(listed.stdout).to.include('NEXT').and.to.include('U20180');
      const copied = await sallyport(['store', 'copy', '--from', 'postgresql', '--to', 'files']);
      expect(copied.code).to.not.equal(0);
      expect(copied.stderr).to.include('users, but the file of users can hold at most 5000');
    } finally {
      await database.run('delete from sallyport.users; update sallyport.users_version set version = version + 1');
      rmSync(join(folder, 'data'), { recursive: true, force: true });
    }
  });

  it('user, audit list and audit verify work with what is in the database', async () => {
    const added = await sallyport(['user', 'add', 'root', '--role', 'administrator', '--password-stdin'], PASSWORD);
    expect(added.code, added.stderr).to.equal(0);
    const listed = await sallyport(['audit', 'list']);
    expect(listed.stdout).to.include('user.added').and.to.include('root');
    const verified = await sallyport(['audit', 'verify']);
    expect(verified.code, verified.stderr).to.equal(0);
    await database.run("update sallyport.audit_entries set line = replace(line, 'root', 'Root') where sequence = 1");
    const broken = await sallyport(['audit', 'verify']);
    expect(broken.code).to.not.equal(0);
    await database.run("update sallyport.audit_entries set line = replace(line, 'Root', 'root') where sequence = 1");
    expect((await sallyport(['audit', 'verify'])).code).to.equal(0);
  });

  describe('a server', () => {
    let url: string;
    before(async () => {
      const { configuration } = await loadConfiguration(file);
      server = await startServer({ ...configuration, passwordCost: CHEAP_PASSWORDS }, silentLog);
      url = server.listeners.find(({ name }) => name === 'W-HTTP')?.url ?? '';
    });

    const versions = async () =>
      (await database.run<{ count: number }>('select count(*)::int as count from sallyport.macro_versions'))[0]?.count;

    for (const [state, words] of Object.entries({
      // each as PostgreSQL says it, said by a trigger; test/cluster/postgresql/full-disk.test.ts fills a disk
      53100: 'could not extend file: No space left on device',
      53400: 'temporary file size exceeds temp_file_limit',
      57014: 'canceling statement due to statement timeout',
    })) {
      it(`refuses what the database cannot keep (${state}), and goes on when it can`, async () => {
        expect((await upload(url, 'first')).status).to.equal(200);
        const before = await versions();
        await database.run(`create function sallyport.refuse() returns trigger language plpgsql as
          $$ begin raise exception '${words}' using errcode = '${state}'; end $$;
          create trigger refused before insert on sallyport.macro_versions execute function sallyport.refuse()`);
        try {
          const { status, headers } = await upload(url, 'refused');
          expect([status, headers.get('retry-after')]).to.deep.equal([503, '5']);
          expect((await ask(url)).status).to.equal(200);
          expect(await versions()).to.equal(before);
        } finally {
          await database.run('drop function sallyport.refuse() cascade');
        }
        expect((await upload(url, 'kept')).status).to.equal(200);
        expect(await versions()).to.equal((before ?? 0) + 1);
        expect((await sallyport(['audit', 'verify'])).code).to.equal(0);
      });
    }
  });
});
