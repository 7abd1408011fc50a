import { TraceSinks } from '../../src/lib/log/trace-sinks.js';
import { noMetrics } from '../../src/lib/metrics.js';
import type { StopSignal } from '../../src/lib/stop-signal.js';
import { EntryPoint } from '../../src/lines/entry-point/entry-point.js';
import type { Transaction } from '../../src/lines/entry-point/transaction.js';
import { InboundLine } from '../../src/lines/listener/inbound-line.js';
import type { InboundLimits } from '../../src/lines/listener/line-definition.js';
import type { ScenarioOutcome, ScenarioRequest } from '../../src/scenarios/scenario-outcome.js';
import { noEffects } from '../../src/scenarios/session-effects.js';
import { VariableStore } from '../../src/scenarios/variable-store.js';
import { BrowserSessions } from '../../src/sessions/browser-sessions.js';
import { compileTemplate } from '../../src/templates/compile.js';
import type { FoundFile, StaticFile, TemplateFile } from '../../src/templates/compiled-template.js';
import { createClientApp } from '../../src/web/client-app.js';
import type { ClientSite } from '../../src/web/http/client-site.js';
import { refusalsOf } from '../../src/web/http/error-response.js';
import { lineHeaders } from '../../src/web/http/response-headers.js';
import { lineDefinition, portOf } from '../lines/listener/definition.js';
import { type LogLine, recordingLog } from '../lines/listener/recording-log.js';

export const testVersion = '9.8.7';

export function transaction(externalName: string, changes: Partial<Transaction> = {}): Transaction {
  return {
    name: `CLI-${externalName}`,
    externalName,
    description: '',
    applicationType: 2,
    application: undefined,
    security: 0,
    printer: undefined,
    fileTransfer: undefined,
    startup: 'menu',
    page: undefined,
    tioaAtLogon: '&/S',
    tioaAtLogoff: '',
    logonMessage: '',
    initialScenario: 'SCENRATE',
    finalScenario: undefined,
    inputScenario: undefined,
    outputScenario: undefined,
    crypt: undefined,
    contentSecurityPolicy: undefined,
    terminals: undefined,
    logmode: undefined,
    passTicket: undefined,
    translation: undefined,
    option: undefined,
    ...changes,
  };
}

export function templatePage(file: string, source: string): TemplateFile {
  return { kind: 'template', template: compileTemplate(`<!--SVC start="{{{" end="}}}" -->${source}`, { file }) };
}

export function staticPage(text: string, contentType: string): StaticFile {
  const lastModified = new Date('2026-03-01T12:00:00.250Z');
  const [inlineScripts, warnings] = [new Set<string>(), []];
  return { kind: 'static', body: Buffer.from(text), contentType, etag: '"v1"', lastModified, inlineScripts, warnings };
}

type RunScenario = (transaction: Transaction, request: ScenarioRequest, signal: StopSignal) => Promise<ScenarioOutcome>;

export interface ClientLineOptions {
  readonly transactions?: readonly Transaction[];
  /** By `DIRECTORY/NAME`, upper case. */
  readonly pages?: Readonly<Record<string, FoundFile>>;
  /** The port of the scenarios: the tests of this folder put answers of their own there. */
  readonly runScenario?: RunScenario;
  readonly limits?: Partial<InboundLimits>;
}

export interface ClientLine {
  readonly line: InboundLine;
  readonly port: number;
  readonly url: string;
  readonly logged: LogLine[];
  readonly logTexts: string[];
}

/** A real line with the client application behind it. */
export async function openClientLine({
  transactions = [transaction('WS3')],
  pages = { 'CLI-DIR/WS1.HTML': templatePage('WS1.HTML', '<p>{{{CURRENT-VALUE-OF "CANSWER"}}}</p>') },
  runScenario = () => Promise.reject(new Error('no scenario here')),
  limits = {},
}: ClientLineOptions): Promise<ClientLine> {
  const definition = lineDefinition({ limits });
  const { log, lines: logged, texts: logTexts } = recordingLog();
  const completeHeaders = lineHeaders({ version: testVersion, line: definition });
  const site: ClientSite = {
    line: definition,
    entryPoint: new EntryPoint({
      name: 'CLIWHOST',
      description: '',
      directory: 'CLI-DIR',
      timeoutMinutes: 720,
      awayMinutes: 5,
      lastPage: undefined,
      identificationScenario: undefined,
      services: undefined,
      serviceUsers: undefined,
      terminalSettings: undefined,
      embedders: [],
      transactions,
    }),
    version: testVersion,
    log,
    metrics: noMetrics,
    tracing: { sinks: new TraceSinks(), isPortal: false, secretMembers: () => new Set() },
    findShippedPage: () => undefined,
    addressOfLine: () => undefined,
    recordings: undefined,
    audit: { record: (_entry, make) => make() },
    printers: { openFor: () => undefined, noteOpened: async () => undefined },
    demoCurrencyService: undefined,
    sessions: new BrowserSessions({
      crypts: [],
      keyPool: { ready: 0, waiting: 0 },
      limits: { sessions: limits.sessions ?? definition.limits.sessions },
      log,
    }),
    hosts: new Map(),
    nodes: undefined,
    security: undefined,
    macros: undefined,
    settings: undefined,
    portal: undefined,
    services: undefined,
    findPage: async (directory, name) => pages[`${directory}/${name}`.toUpperCase()],
    scenarios: {
      has: (_module, kind) => kind === 'INITIAL',
      newVariables: () => new VariableStore({ variableBytes: 1_000_000, values: 1_000, variables: 1_000 }),
      run: async (_module, _kind, request, signal) => {
        const named = transactions.find(
          ({ externalName }) => externalName === request.names.get('TRANSACTION-EXTERNAL'),
        );
        if (named === undefined) throw new Error('no such transaction');
        return { outcome: await runScenario(named, request, signal), ending: 'end', effects: noEffects() };
      },
    },
    defaultCodePage: 'IBM1147',
  };
  const app = createClientApp(site, completeHeaders);
  const line = new InboundLine(definition, app, log, refusalsOf(completeHeaders));
  await line.start();
  return { line, url: line.url, port: portOf(line.url), logged, logTexts };
}

/** Of a `describe`: opens lines, and stops them after each test. */
export function openedClientLines(): (options?: ClientLineOptions) => Promise<ClientLine> {
  const opened: ClientLine[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ line }) => line.stop(0)));
  });

  return async (options = {}) => {
    const line = await openClientLine(options);
    opened.push(line);
    return line;
  };
}

/** Bytes of a request without a body that closes its connection. */
export function get(path: string, headers = '', method = 'GET'): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
}

/** What a scenario that answers by itself comes to. */
export function answerOf(body: string, changes: Partial<ScenarioOutcome> = {}): ScenarioOutcome {
  const answer = { kind: 'answer', contentType: 'text/html', body: Buffer.from(body), expires: 'immediately' };
  return { ...answer, fileName: undefined, ...changes } as ScenarioOutcome;
}
