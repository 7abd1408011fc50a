import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../../src/access/tokens/file-token-store.js';
import { TokenAdministration } from '../../../src/access/tokens/token-administration.js';
import { FileUserStore } from '../../../src/access/users/file-user-store.js';
import { loadConfiguration } from '../../../src/config/load-configuration.js';
import { SimulatedHost, type SimulatedHostOptions } from '../../../src/demo/simulated-host/simulated-host.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { startServer } from '../../../src/server/server.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { type LogLine, recordingLog } from '../../lines/listener/recording-log.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { eventually } from '../../support/eventually.js';
import { projectFolder } from '../../support/project.js';
import { HostRelay } from './host-relay.js';

export const USER = { name: 'ANNA', password: 'anna-Geheim-33' } as const;
export const OPERATOR = { name: 'OPERA', password: 'only-Looking-2' } as const;

export interface ServiceSiteOptions {
  /** Members of the pool, as YAML flow. */
  readonly pool?: string;
  /** Members of the entry point, as YAML lines of that depth. */
  readonly entryPoint?: string;
  /** Service files that are there besides, by name. */
  readonly services?: Readonly<Record<string, string>>;
  /** Names of the shipped files that are there; all of them where nothing is said. */
  readonly shipped?: readonly string[];
  readonly host?: Partial<SimulatedHostOptions>;
  /** Sources of presentation modules by their names. */
  readonly scenarios?: Readonly<Record<string, string>>;
  /** Further pools as YAML lines; `FRAMES` is a host to which files go by screens. */
  readonly pools?: string;
  /** Further transactions of the entry point, as YAML lines of that depth. */
  readonly transactions?: string;
  /** Further keys of the configuration, as YAML lines. */
  readonly further?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly method?: string;
  readonly token?: string | undefined;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const actor = { who: 'test', from: 'test' };

/** A client line with the shipped services, and a simulated host behind a relay that can spoil what it says. */
export class ServiceSite {
  readonly #host: SimulatedHost;
  readonly #tokens: TokenAdministration;
  #stopServer: () => Promise<void> = async () => {};
  url = '';
  /** Of the management port, where the configuration has one. */
  managementUrl = '';

  private constructor(
    readonly folder: string,
    readonly relay: HostRelay,
    host: SimulatedHost,
    readonly logged: LogLine[],
    readonly logTexts: string[],
    readonly start: (site: ServiceSite) => Promise<void>,
  ) {
    this.#host = host;
    const data = (name: string) => join(folder, 'data', name);
    const audit = new FileAuditTrail({ file: data('audit.jsonl') });
    this.#tokens = new TokenAdministration(new FileTokenStore(data('tokens.json')), audit);
  }

  static async open(options: ServiceSiteOptions = {}) {
    const {
      pool = '',
      entryPoint = '',
      services = {},
      shipped: names,
      host = {},
      scenarios,
      pools = '',
      further = '',
      transactions = '',
    } = options;
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-services-'));
    cpSync(join(projectFolder, 'templates', 'services'), join(folder, 'services'), {
      recursive: true,
      filter: (from) => names === undefined || !from.endsWith('.yaml') || names.includes(basename(from)),
    });
    for (const [name, text] of Object.entries(services)) writeFileSync(join(folder, 'services', name), text);
    if (scenarios !== undefined) mkdirSync(join(folder, 'scenarios'));
    for (const [name, source] of Object.entries(scenarios ?? {})) {
      writeFileSync(join(folder, 'scenarios', `${name}.scn`), source);
    }
    const simulated = new SimulatedHost({ codePage, users: { DEMO: 'demo' }, start: 'SIGNON', ...host });
    const { port: hostPort } = await simulated.listen({ host: '127.0.0.1', port: 0 });
    const relay = new HostRelay(hostPort);
    const port = await relay.listen();
    const shipped = (...names: string[]) => join(projectFolder, ...names);
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      `data: ./data
directories: { CLI-DIR: '${shipped('templates', 'pages')}', W2H-DIR: '${shipped('public')}' }
hosts: { SIM: { address: '127.0.0.1:${port}' }, FRAMES: { address: '127.0.0.1:${port}', deviceType: IBM-3278-2 } }
services: ./services
${scenarios === undefined ? '' : 'scenarios: ./scenarios'}
${further}
pools:
  ACCOUNTS: { host: SIM, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3]${pool === '' ? '' : `, ${pool}`} }
${pools}
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLIWHOST } }
entryPoints:
  CLIWHOST:
    directory: CLI-DIR
    description: Services of a test
${entryPoint === '' ? '    services: true' : entryPoint}
    transactions:
      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }
      NTLM: { applicationType: 1, application: SIM, security: 2, page: TERMINAL.HTML }
      w2h: { applicationType: 4, application: W2H-DIR }
${transactions}
`,
    );
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    const { log, lines, texts } = recordingLog();
    const site = new ServiceSite(folder, relay, simulated, lines, texts, async (made) => {
      const { configuration } = await loadConfiguration(join(folder, 'sallyport.yaml'));
      const running = await startServer({ ...configuration, passwordCost: CHEAP_PASSWORDS }, log);
      const urlOf = (listener: string) => running.listeners.find(({ name }) => name === listener)?.url ?? '';
      made.url = urlOf('C-HTTP');
      made.managementUrl = urlOf('management');
      made.#stopServer = () => running.stop();
    });
    await site.start(site);
    return site;
  }

  /** A new token with scopes. */
  token(...scopes: string[]): Promise<string> {
    const name = `t${Math.random().toString(36).slice(2)}`;
    return this.#tokens.add(actor, { name, scopes, days: 1 });
  }

  get tokens(): TokenAdministration {
    return this.#tokens;
  }

  async addUsers(): Promise<void> {
    const file = join(this.folder, 'data', 'security.yaml');
    const database = new FileUserStore({
      passwordCost: CHEAP_PASSWORDS,
      file,
      log: silentLog,
      lockAfter: 10,
      lockMinutes: 30,
    });
    await database.open();
    await database.addUser({ name: USER.name, role: 'user', groups: ['OPS'], expires: undefined }, USER.password);
    const { name, password } = OPERATOR;
    await database.addUser({ name, role: 'operator', groups: ['OPS'], expires: undefined }, password);
  }

  async request(path: string, { method, token, body, headers, signal }: Call = {}): Promise<Reply> {
    const reply = await fetch(`${this.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await reply.text();
    const isJson = /json/.test(reply.headers.get('content-type') ?? '');
    return { status: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) : {} };
  }

  /** Everything that the server has written: logs and state. */
  written(): string {
    const names = ['audit.jsonl', 'tokens.json', 'idempotency.jsonl'];
    const files = names.map((name) => {
      try {
        return readFileSync(join(this.folder, 'data', name), 'utf8');
      } catch {
        return '';
      }
    });
    return [...this.logTexts, ...files].join('\n');
  }

  /** The lines of the request log that are calls of services. */
  async calls(count: number): Promise<readonly LogLine[]> {
    return eventually(() => {
      const found = this.logged.filter(({ msg, service }) => msg === 'request' && service !== undefined);
      return found.length >= count ? found : undefined;
    });
  }

  stopServer(): Promise<void> {
    return this.#stopServer();
  }

  async stop(): Promise<void> {
    await this.#stopServer();
    await this.relay.close();
    await this.#host.close();
    rmSync(this.folder, { recursive: true });
  }
}
