import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Seal } from '../../../src/cluster/nodes/seal.js';
import { loadConfiguration } from '../../../src/config/load-configuration.js';
import { openUsers } from '../../../src/config/open-users.js';
import { type RunningServer, startServer } from '../../../src/server/server.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { CookieClient } from '../../support/cookie-client.js';
import type { PostgresqlServer } from '../../support/postgresql.js';
import { fixture, projectFolder } from '../../support/project.js';

export const ADMINISTRATOR = { name: 'root', password: 'correct horse battery' } as const;
/** What the certificates of all nodes are for. */
const NAME = 'nodes.example';

export interface Node {
  readonly code: string;
  readonly server: RunningServer;
  readonly client: string;
  readonly portal: string;
  readonly log: () => string;
}

/** What the tests of a cluster have in common, once it has begun. */
export interface RunningCluster {
  readonly database: PostgresqlServer;
  readonly cluster: ClusterOfTwo;
  readonly a: Node;
  readonly b: Node;
}

/** A session of a terminal. */
export async function begun(node: Node): Promise<{ readonly browser: CookieClient; readonly action: string }> {
  const browser = new CookieClient(node.client);
  return { browser, action: await browser.open('/TERMINAL.HTML+TSO') };
}

/** The same browser at another node. */
export function at(node: Node, { cookies }: CookieClient): CookieClient {
  const client = new CookieClient(node.client);
  for (const [name, value] of cookies) client.cookies.set(name, value);
  return client;
}

/** A cluster in one process, its internal line over TLS with certificates of an authority of its own. */
export class ClusterOfTwo {
  readonly folder = mkdtempSync(join(tmpdir(), 'sallyport-cluster-'));
  readonly nodes: Node[] = [];
  readonly #database: PostgresqlServer;

  constructor(database: PostgresqlServer) {
    this.#database = database;
    this.certificate('authority');
    this.signed('node', 'authority', NAME);
  }

  async addAdministrator(): Promise<void> {
    const users = await openUsers(await this.configuration('x'));
    const actor = { who: 'test', from: 'test' };
    const { name, password } = ADMINISTRATOR;
    await users.administration.addUser(
      actor,
      { name, role: 'administrator', groups: [], expires: undefined },
      password,
    );
    await users.close();
  }

  /** A node that has begun; it gives its port to the others by the database. */
  async begin(code: string, changes: Parameters<ClusterOfTwo['configuration']>[1] = {}): Promise<Node> {
    const { log, texts } = recordingLog();
    const server = await startServer(await this.configuration(code, changes), log);
    const url = (line: string) => server.listeners.find(({ name }) => name === line)?.url ?? '';
    const node = { code, server, client: url('C-HTTP'), portal: url('W-HTTP'), log: () => texts.join('\n') };
    this.nodes.push(node);
    return node;
  }

  /** Stops one in an orderly way. */
  async end(node: Node): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(node), 1);
    await node.server.stop();
  }

  /** @param store where the node finds the database, and how long it waits for it */
  async configuration(code: string, { certificate = 'node', settings = '', line = '', store = this.#store } = {}) {
    const [pages, portal, w2h] = [fixture('session-pages'), 'templates/portal', 'public'].map((path) =>
      path.startsWith('/') ? path : join(projectFolder, path),
    );
    const file = join(this.folder, `${code}.yaml`);
    const tls = `{ cert: ${certificate}.pem, key: ${certificate}.key, ca: authority.pem, name: ${NAME} }`;
    writeFileSync(
      file,
      `data: ./data-${code}
tct: { CRYPT1: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)', CRYPT2: '(CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE)' }
cluster: { node: ${code}, listen: '127.0.0.1:0', tls: ${tls} }
directories: { CLI-DIR: '${pages}', TER-DIR: '${join(projectFolder, 'templates/pages')}', ADM-DIR: '${portal}', W2H-DIR: '${w2h}' }
store: { ${store} }
hosts: { SIM: { simulated: true, users: { DEMO: demo, ANNA: geheim } } }
sessions: { keysReady: 0 }
management: { listen: '127.0.0.1:0' }
${settings}
lines:
  W-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration }
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI${line} }
entryPoints:
  WEB2HOST: { directory: ADM-DIR, transactions: { w2h: { applicationType: 4, application: W2H-DIR } } }
  CLI:
    directory: TER-DIR
    transactions:
      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML, crypt: CRYPTGCM }
      FORM: { applicationType: 1, application: SIM, page: TERMINAL.HTML, security: 4 }
      w2h: { applicationType: 4, application: W2H-DIR }
      plain: { applicationType: 4, application: CLI-DIR }
`,
    );
    const { configuration } = await loadConfiguration(file);
    return { ...configuration, passwordCost: CHEAP_PASSWORDS };
  }

  /** Where a node has its internal line. */
  async addressOf(code: string): Promise<{ readonly host: string; readonly port: number }> {
    const rows = await this.#database.run<{ address: string }>(
      `select address from sallyport.nodes where code = '${code}'`,
    );
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(rows[0]?.address ?? '') ?? [];
    return { host, port: Number(port) };
  }

  /** Seals what a node says, with the key of the cluster. */
  async seal(): Promise<Seal> {
    const [row] = await this.#database.run<{ key: Buffer }>('select key from sallyport.cluster_key');
    const seal = new Seal(async () => row?.key ?? Buffer.alloc(0));
    await seal.begin();
    return seal;
  }

  get #store(): string {
    const { port, folder } = this.#database;
    return `postgresql: 'postgres://sallyport@localhost:${port}/postgres?host=${folder}'`;
  }

  /** An authority of that name. */
  certificate(name: string): void {
    this.#openssl(`req -x509 ${NEW_KEY} -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`);
  }

  /** A certificate that it has signed. */
  signed(name: string, authority: string, dnsName: string): void {
    this.#openssl(
      `req -x509 ${NEW_KEY} -days 2 -subj /CN=${name} -addext subjectAltName=DNS:${dnsName} -addext basicConstraints=critical,CA:FALSE -CA ${authority}.pem -CAkey ${authority}.key -keyout ${name}.key -out ${name}.pem`,
    );
  }

  async remove(): Promise<void> {
    for (const { server } of this.nodes.splice(0)) await server.stop();
    rmSync(this.folder, { recursive: true });
  }

  #openssl(words: string): void {
    execFileSync('openssl', words.split(' '), { cwd: this.folder, stdio: 'ignore' });
  }
}

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
