import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import type { DatabaseDefinition, DatabaseHost } from '../../src/cluster/postgresql/database-definition.js';
import { migrate } from '../../src/cluster/postgresql/migrate.js';
import type { LineTls } from '../../src/lines/listener/line-definition.js';
import { awaited } from './awaited.js';
import { eventually } from './eventually.js';

/** Role for migrations. The server has its own role with only the granted permissions. */
const OWNER = 'postgres';
const RUN_TIME_ROLE = 'sallyport';
const PASSWORD_RULE = `local all ${RUN_TIME_ROLE} scram-sha-256\n`;

/** Folder of the server programs, which Debian does not put into the PATH; undefined if not installed. */
export function postgresqlFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...`${process.env.PATH}`.split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** A PostgreSQL server in a temporary folder, reached by a Unix socket. It does not flush to disk. */
export class PostgresqlServer {
  readonly folder: string;
  /** Below the ephemeral ports of the system. */
  readonly port = 20_000 + (process.pid % 10_000);
  readonly #programs: string;
  readonly #user: { readonly uid?: number; readonly gid?: number };
  readonly #pools: pg.Pool[] = [];
  #process: ChildProcess | undefined;

  private constructor(programs: string, below = tmpdir()) {
    this.folder = mkdtempSync(join(below, 'sallyport-postgresql-'));
    this.#programs = programs;
    this.#user = notRoot();
    if (this.#user.uid !== undefined) chownSync(this.folder, this.#user.uid, this.#user.gid ?? -1);
  }

  /**
   * @param tls also listens at 127.0.0.1 and 127.0.0.2, with TLS and a password required
   * @param below parent of its folder
   */
  static async start(tls?: LineTls, below?: string): Promise<PostgresqlServer> {
    const programs = postgresqlFolder();
    if (programs === undefined) throw new Error('PostgreSQL is not installed');
    const server = new PostgresqlServer(programs, below);
    const { status, stderr } = spawnSync(
      join(programs, 'initdb'),
      ['-D', server.#data, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
      { ...server.#user, cwd: server.folder, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`initdb: ${stderr}`);
    const ours = ['fsync = off', `port = ${server.port}`, `unix_socket_directories = '${server.folder}'`];
    const reached = tls === undefined ? ["listen_addresses = ''"] : server.#tlsSettings(tls);
    appendFileSync(join(server.#data, 'postgresql.conf'), [...ours, ...reached, ''].join('\n'));
    await server.begin();
    await server.run(`create role ${RUN_TIME_ROLE} login`);
    await migrate(server.definition({ user: OWNER }), RUN_TIME_ROLE);
    return server;
  }

  /** Starts a streaming replica, which is read-only until it is promoted. */
  async standby(): Promise<PostgresqlServer> {
    const server = new PostgresqlServer(this.#programs);
    const { status, stderr } = spawnSync(
      join(this.#programs, 'pg_basebackup'),
      ['-D', server.#data, '-h', this.folder, '-p', `${this.port}`, '-U', OWNER, '-R', '-c', 'fast', '--no-sync'],
      { ...server.#user, cwd: server.folder, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`pg_basebackup: ${stderr}`);
    appendFileSync(join(server.#data, 'postgresql.conf'), `unix_socket_directories = '${server.folder}'\n`);
    await server.begin();
    return server;
  }

  /** PostgreSQL rejects a key file that others can read. */
  #tlsSettings({ cert, key }: LineTls): readonly string[] {
    for (const [name, file] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      const copy = join(this.#data, name);
      writeFileSync(copy, readFileSync(file), { mode: 0o600 });
      if (this.#user.uid !== undefined) chownSync(copy, this.#user.uid, this.#user.gid ?? -1);
    }
    writeFileSync(join(this.#data, 'pg_hba.conf'), 'local all all trust\nhostssl all all all scram-sha-256\n');
    return ["listen_addresses = '127.0.0.1,127.0.0.2'", 'ssl = on'];
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  async askForPassword(isAsked: boolean): Promise<void> {
    const rules = join(this.#data, 'pg_hba.conf');
    const others = readFileSync(rules, 'utf8').replace(PASSWORD_RULE, '');
    writeFileSync(rules, isAsked ? PASSWORD_RULE + others : others);
    await this.run('select pg_reload_conf()');
  }

  definition({
    host = this.folder,
    port = this.port,
    ...changes
  }: Partial<DatabaseDefinition & DatabaseHost> = {}): DatabaseDefinition {
    return {
      hosts: [{ host, port }],
      database: 'postgres',
      user: RUN_TIME_ROLE,
      password: undefined,
      tls: undefined,
      limits: { connections: 4, connectMilliseconds: 60_000, statementMilliseconds: 60_000 },
      ...changes,
    };
  }

  /** As the owner. */
  async run<Row extends pg.QueryResultRow>(statements: string): Promise<readonly Row[]> {
    let [pool] = this.#pools;
    if (pool === undefined) {
      pool = new pg.Pool({ host: this.folder, port: this.port, database: 'postgres', user: OWNER, max: 1 });
      pool.on('error', () => {});
      this.#pools.push(pool);
    }
    const asked = awaited('PostgreSQL', `do this for the test: ${statements.trim()}`, pool.query<Row>(statements));
    return (await asked).rows;
  }

  async empty(): Promise<void> {
    await this.run(`
      do $$ begin execute (select 'truncate ' || string_agg(format('sallyport.%I', tablename), ', ')
        from pg_tables where schemaname = 'sallyport' and tablename <> 'schema_version'); end $$;
      insert into sallyport.users_version (version) values (0);
      insert into sallyport.idempotency_total (requests, bytes) values (0, 0);
      insert into sallyport.audit_head (sequence, hash) values (0, repeat('0', 64))`);
  }

  async begin(): Promise<void> {
    const server = spawn(join(this.#programs, 'postgres'), ['-D', this.#data], {
      ...this.#user,
      cwd: this.folder,
      stdio: 'ignore',
    });
    this.#process = server;
    await eventually(async () => {
      if (server.exitCode !== null) throw new Error('postgres has ended');
      return this.run('select').catch(() => undefined);
    });
  }

  get hasEnded(): boolean {
    const server = this.#process;
    return server === undefined || server.exitCode !== null || server.signalCode !== null;
  }

  /** Accepts no new connections; exits after the last one has closed. */
  refuse(): void {
    this.#process?.kill('SIGTERM');
  }

  async end(): Promise<void> {
    const server = this.#process;
    if (server === undefined || this.hasEnded) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }

  async remove(): Promise<void> {
    for (const pool of this.#pools) await pool.end();
    await this.end();
    rmSync(this.folder, { recursive: true });
  }
}

/** PostgreSQL refuses to run as root. */
function notRoot(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}
