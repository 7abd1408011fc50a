import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { openStore } from '../../src/config/open-store.js';
import { openUsers } from '../../src/config/open-users.js';
import { silentLog } from '../../src/lib/log/log.js';
import { SallyportProcess } from '../../test/cli/sallyport-process.js';
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.js';
import { DatabaseLine } from '../../test/support/database-line.js';
import { eventually } from '../../test/support/eventually.js';
import { freePorts } from '../../test/support/free-port.js';
import { PostgresqlServer } from '../../test/support/postgresql.js';
import { projectFolder } from '../../test/support/project.js';
import { changedConfiguration, LOOPBACK, RealProxies } from '../../test/support/real-proxy.js';
import { type BedNode, nodeConfiguration } from './node-configuration.js';

export const PASSWORD = 'correct horse battery';
export const ADMINISTRATOR = 'root';
const CONNECTIONS = 4_000;
const CODES = ['a', 'b', 'c', 'd'] as const;

const demoProgram = fileURLToPath(new URL('../scenario/programs/demo-service.js', import.meta.url));

export interface BedOptions {
  /** Number of processes of each server; HAProxy balances 1 to 4 servers. */
  readonly nodes: readonly number[];
  /** Number of users C1, C2 … who save macros. */
  readonly users: number;
  /** True to give each server its own line to PostgreSQL, which can be cut. */
  readonly hasLines?: boolean;
  /** A checkout of another version that the servers run at first. */
  readonly from?: string | undefined;
  /** Parent of PostgreSQL's folder; default: the temporary folder. */
  readonly databaseBelow?: string;
}

/** Sallyport servers with one PostgreSQL and HAProxy, and the host and service that they call; one process each. */
export class ClusterBed {
  readonly folder = mkdtempSync(join(tmpdir(), 'sallyport-scale-'));
  readonly nodes: BedNode[] = [];
  /** URL of HAProxy. */
  front = '';
  demo = '';
  #token = '';
  #script: string | undefined;
  #service: ChildProcess | undefined;
  readonly #proxies = new RealProxies();
  readonly #others: SallyportProcess[] = [];
  readonly #running = new Map<string, SallyportProcess>();
  readonly #lines = new Map<string, DatabaseLine>();
  readonly #database: PostgresqlServer;
  /** HAProxy's socket for server states. */
  readonly #statistics = join(this.folder, 'haproxy.sock');

  private constructor(database: PostgresqlServer) {
    this.#database = database;
  }

  static async start({ nodes, users, hasLines = false, from, databaseBelow }: BedOptions): Promise<ClusterBed> {
    const bed = new ClusterBed(await PostgresqlServer.start(undefined, databaseBelow));
    try {
      if (from !== undefined) bed.#script = join(from, 'scripts', 'sallyport.mjs');
      await bed.#prepare(nodes, users, hasLines);
      bed.#script = undefined;
      return bed;
    } catch (error) {
      await bed.stop();
      throw error;
    }
  }

  async kill({ code }: BedNode): Promise<void> {
    const process = this.#running.get(code);
    process?.child.kill('SIGKILL');
    await process?.finished;
  }

  /** Stops or continues a server, like a swapping machine. */
  signal({ code }: BedNode, signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#running.get(code)?.child.kill(signal);
  }

  async begin(node: BedNode): Promise<void> {
    const process = new SallyportProcess(['serve', '--config', node.file], this.folder, [], this.#script);
    this.#running.set(node.code, process);
    await process.prints(/^C-HTTP +http/m);
    await this.#answers(node, '/health/ready');
  }

  async allWell(node: BedNode): Promise<void> {
    await this.#answers(node, '/health');
  }

  /** Waits until HAProxy sends new sessions to all servers. */
  async allSeen(): Promise<void> {
    await eventually(async () => {
      const states = await text(connect(this.#statistics).end('show stat\n'));
      return this.nodes.every(({ code }) => new RegExp(`^sallyport,${code},.*,UP,`, 'm').test(states)) || undefined;
    });
  }

  async drain(node: BedNode): Promise<number | null | undefined> {
    const headers = { Authorization: `Bearer ${this.#token}` };
    const reply = await fetch(`${node.portal}/api/admin/v1/server/drain`, { method: 'POST', headers });
    if (reply.status !== 200) throw new Error(`the drain was refused: ${reply.status} ${await reply.text()}`);
    return (await this.#running.get(node.code)?.finished)?.code;
  }

  /** The started process of a server and its workers. */
  processesOf({ code }: BedNode): readonly number[] {
    const pid = this.#running.get(code)?.child.pid ?? 0;
    return [pid, ...workersOf(pid)];
  }

  /** Cuts a server off from PostgreSQL until `mend`. Neither side gets an error. */
  cutOff({ code }: BedNode): void {
    this.#lines.get(code)?.cut();
  }

  mend({ code }: BedNode): void {
    this.#lines.get(code)?.mend();
  }

  /** Closes each connection to the database with a probability of one half; clients see the close. */
  async cutDatabase(): Promise<void> {
    await this.#database.run(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $$sallyport$$ and random() < 0.5',
    );
  }

  async endDatabase(): Promise<void> {
    await this.#database.end();
  }

  async beginDatabase(): Promise<void> {
    if (this.#database.hasEnded) await this.#database.begin();
  }

  /** Verifies the hash chain of the audit trail. @returns the number of entries */
  async auditEntries(): Promise<number> {
    const [node] = this.nodes;
    const { configuration } = await loadConfiguration(node?.file ?? '');
    const stores = await openStore(configuration, silentLog);
    try {
      const outcome = await stores?.verifyAudit();
      if (outcome?.kind !== 'unbroken') throw new Error(`the audit trail is broken: ${JSON.stringify(outcome)}`);
      return outcome.entries;
    } finally {
      await stores?.close();
    }
  }

  async stop(): Promise<void> {
    await this.#proxies.stop();
    this.#service?.kill();
    for (const process of [...this.#running.values(), ...this.#others]) {
      process.child.kill('SIGKILL');
      await process.finished;
    }
    for (const line of this.#lines.values()) line.close();
    await this.#database.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #answers({ management }: BedNode, path: string): Promise<void> {
    await eventually(async () => {
      const reply = await fetch(`http://${LOOPBACK}:${management}${path}`).catch(() => undefined);
      return reply?.status === 200 ? true : undefined;
    });
  }

  async #prepare(nodes: readonly number[], users: number, hasLines: boolean): Promise<void> {
    const host = new SallyportProcess([
      ...['simulated-host', '--listen', `${LOOPBACK}:0`, '--start', 'MENU'],
      ...['--terminals-per-address', String(CONNECTIONS)],
    ]);
    this.#others.push(host);
    const [, hostPort = ''] = await host.prints(/listens on [\d.]+:(\d+)/);
    const [front = 0, demo = 0, ...ports] = await freePorts(2 + 3 * nodes.length);
    this.demo = `http://${LOOPBACK}:${demo}`;
    this.#service = fork(demoProgram, [String(demo)], { execArgv: [] });
    this.#copyScenario(`${LOOPBACK}:${demo}`);
    const { port, folder } = this.#database;
    for (const [at, processes] of nodes.entries()) {
      const code = CODES[at] ?? '';
      const [client = 0, portal = 0, management = 0] = ports.slice(3 * at, 3 * at + 3);
      const file = join(this.folder, `${code}.yaml`);
      const store = hasLines
        ? await this.#lineOf(code)
        : `postgres://sallyport@localhost:${port}/postgres?host=${folder}`;
      writeFileSync(file, nodeConfiguration({ code, client, portal, management, hostPort, processes, store }));
      this.nodes.push({
        code,
        file,
        client: `${LOOPBACK}:${client}`,
        portal: `http://${LOOPBACK}:${portal}`,
        management,
      });
    }
    await this.#addUsers(users);
    for (const node of this.nodes) await this.begin(node);
    await this.#startHaproxy(front);
  }

  async #lineOf(code: string): Promise<string> {
    const line = await DatabaseLine.to(this.#database);
    this.#lines.set(code, line);
    return line.url;
  }

  #copyScenario(demo: string): void {
    mkdirSync(join(this.folder, 'scenarios'));
    const name = 'SCENRATE.scn';
    const source = readFileSync(join(projectFolder, 'templates', 'scenarios', name), 'utf8');
    writeFileSync(join(this.folder, 'scenarios', name), source.replace('127.0.0.1:41080', demo));
  }

  async #addUsers(count: number): Promise<void> {
    const { configuration } = await loadConfiguration(this.nodes[0]?.file ?? '');
    const opened = await openUsers({ ...configuration, passwordCost: CHEAP_PASSWORDS });
    const actor = { who: 'bench', from: 'bench' };
    const add = (name: string, role: 'administrator' | 'user') =>
      opened.administration.addUser(actor, { name, role, groups: [], expires: undefined }, PASSWORD);
    await add(ADMINISTRATOR, 'administrator');
    for (let number = 1; number <= count; number++) await add(`C${number}`, 'user');
    this.#token = await opened.tokens.add(actor, { name: 'bench', scopes: ['operation'], days: 1 });
    await opened.close();
  }

  async #startHaproxy(front: number): Promise<void> {
    const file = join(this.folder, 'haproxy.cfg');
    const servers = (rest: (node: BedNode) => string) =>
      this.nodes.map((node) => `  server ${node.code} ${node.client} ${rest(node)}`).join('\n');
    const changed = changedConfiguration('cluster/haproxy.cfg', [
      ['bind :443 ssl crt /etc/haproxy/sallyport.pem alpn http/1.1', `bind ${LOOPBACK}:${front}`],
      ['X-Forwarded-Proto https', 'X-Forwarded-Proto http'],
      ['check port 41003 ', 'check '],
      ['global\n', `global\n  stats socket ${this.#statistics}\n`],
    ]);
    const checked = servers(({ management }) => `port ${management}`);
    const plain = changed.replaceAll('  server a 10.0.0.11:41002\n  server b 10.0.0.12:41002', checked);
    writeFileSync(file, plain);
    await this.#proxies.startHaproxy(file);
    this.front = `http://${LOOPBACK}:${front}`;
    await eventually(async () => {
      const reply = await fetch(`${this.front}/w2h/terminal.js`).catch(() => undefined);
      return reply?.status === 200 ? true : undefined;
    });
  }
}

export function workersOf(supervisor: number): readonly number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(supervisor)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((pid) => pid !== '')
    .map(Number);
}
