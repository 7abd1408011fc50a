import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../src/config/configuration.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { silentLog } from '../../src/lib/log/log.js';
import type { ReloadOutcome, Replaced } from '../../src/operation/configuration-operations.js';
import { startServer } from '../../src/server/server.js';

/** A service that says its name, once it is told to. */
export class NamedService {
  readonly #server: Server;
  readonly #waiting: ServerResponse[] = [];
  #isHeld = false;

  constructor(readonly name: string) {
    this.#server = createServer((request, response) => {
      request.resume();
      if (this.#isHeld) this.#waiting.push(response);
      else response.end(this.name);
    });
  }

  /** `host:port` */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get callsHeld(): number {
    return this.#waiting.length;
  }

  hold(): void {
    this.#isHeld = true;
  }

  letGo(): void {
    this.#isHeld = false;
    for (const response of this.#waiting.splice(0)) response.end(this.name);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What of the configuration a test says; all of it has a value where it does not. */
export interface ExchangeSettings {
  readonly pages?: string;
  readonly scenarios?: string;
  /** `host:port` of the one outbound line. */
  readonly service?: string;
  readonly hosts?: string;
  readonly transactions?: string;
  /** Members of the client line, as YAML flow. */
  readonly line?: string;
  readonly entryPoint?: string;
  readonly data?: string;
  readonly sessions?: string;
  /** TLS of the outbound line. */
  readonly tls?: string;
  /** Further lines of the configuration, as YAML. */
  readonly more?: string;
  readonly tct?: string;
  readonly lines?: string;
}

/** A folder with pages and scenarios in two versions each, and a server over it that is given one configuration after another. */
export class ExchangeSite {
  readonly folder = mkdtempSync(join(tmpdir(), 'sallyport-exchange-'));
  #server: Awaited<ReturnType<typeof startServer>> | undefined;

  constructor() {
    for (const version of ['old', 'new']) {
      for (const folder of ['pages', 'scenarios']) mkdirSync(join(this.folder, version, folder), { recursive: true });
      this.write(version, 'pages/PAGE.HTML', page(version));
      this.write(version, 'scenarios/CALL.scn', scenario(version));
    }
  }

  write(version: string, name: string, text: string): void {
    writeFileSync(join(this.folder, version, name), text);
  }

  async configuration(settings: ExchangeSettings = {}): Promise<Configuration> {
    return (await loadConfiguration(this.writeConfiguration(settings))).configuration;
  }

  /** @returns the file */
  writeConfiguration(settings: ExchangeSettings): string {
    const { pages = 'old/pages', scenarios = 'old/scenarios', service = '127.0.0.1:9', hosts = '' } = settings;
    const { transactions = '', line = '', more = '', tct = '', lines = '', tls = '' } = settings;
    const { entryPoint = 'CLI', data = './data', sessions = '{ keysReady: 1 }' } = settings;
    const file = join(this.folder, 'sallyport.yaml');
    writeFileSync(
      file,
      `data: ${data}
tct: { ${tct} }
directories: { PAGES: ./${pages} }
scenarios: ./${scenarios}
hosts: { ${hosts} }
sessions: ${sessions}
lines:
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: ${entryPoint}${line === '' ? '' : `, ${line}`} }
  OUT: { outbound: true, site: '${service}'${tls === '' ? '' : `, tls: ${tls}`} }
  ${lines}
entryPoints:
  CLI:
    directory: PAGES
    transactions:
      CALL: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: CALL }
      ${transactions}
${more}
`,
    );
    return file;
  }

  async start(settings: ExchangeSettings = {}): Promise<void> {
    this.#server = await startServer(await this.configuration(settings), silentLog);
  }

  async replace(settings: ExchangeSettings): Promise<Replaced> {
    return this.replaceBy(await this.configuration(settings));
  }

  replaceBy(next: Configuration): Promise<Replaced> {
    return this.#running.replace(next);
  }

  /** Writes the configuration, and has the server read it. */
  async reload(settings: ExchangeSettings): Promise<ReloadOutcome> {
    this.writeConfiguration(settings);
    return this.reloadFile();
  }

  /** Has the server read whatever the file says. */
  reloadFile(): Promise<ReloadOutcome> {
    return this.#running.reload({ who: 'TESTER', from: 'test' });
  }

  get operations(): Awaited<ReturnType<typeof startServer>>['operations'] {
    return this.#running.operations;
  }

  get url(): string {
    return this.urlOf('C-HTTP');
  }

  urlOf(listener: string): string {
    return this.#running.listeners.find(({ name }) => name === listener)?.url ?? '';
  }

  /** When a server that is drained has nothing left to wait for. */
  get drained(): Promise<void> {
    return this.#running.drained;
  }

  stopServer(): Promise<void> {
    return this.#running.stop();
  }

  async text(path: string): Promise<string> {
    const response = await fetch(this.url + path);
    return `${response.status} ${(await response.text()).trim()}`;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.folder, { recursive: true });
  }

  get #running(): Awaited<ReturnType<typeof startServer>> {
    if (this.#server === undefined) throw new Error('the server does not run');
    return this.#server;
  }
}

/** Shows itself, the version of its scenario, and what the service said to its two calls. */
function page(version: string): string {
  const values = ['SCENARIO', 'FIRST', 'SECOND'].map((name) => `{{{CURRENT-VALUE-OF "${name}"}}}`);
  return `<!--SVC start="{{{" end="}}}" -->${version} page, ${values.join(', ')}`;
}

/** Calls the service twice. */
function scenario(version: string): string {
  const call = (variable: string) => `         OPTION$ FOR-HTTP,(METHOD,'GET'),(TO,'/'),(FILE-IN,'${variable}'),
               (RET-CODE,'RETCODE'),TOVAR='REQUEST'
         SEND$ TO-LINE,LINE='OUT',MAXTIME=6000,PARMS='REQUEST',
               ERROR=NOTOK`;
  return `CALL     SCREENS APPL=CALL,EXEC=NO
         SCENARIO INITIAL
         COPY$ VALUE-TO-VARIABLE,VAR='SCENARIO',VALUE='${version} scenario'
${call('FIRST')}
${call('SECOND')}
NOTOK    SCENARIO END
         SCRNEND
         END
`;
}
