import { readCryptDefinition } from '../../src/crypto/crypt-definition.js';
import { readAs, soundValue } from '../../src/lib/read-outcome.js';
import type { BrowserSession } from '../../src/sessions/browser-session.js';
import { BrowserSessions } from '../../src/sessions/browser-sessions.js';
import type { SessionScenarios } from '../../src/sessions/session-facts.js';
import type { Submission, SubmittedValue } from '../../src/sessions/submit.js';
import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { openHostConnection } from '../../src/tn3270/host/host-connection.js';
import { allFunctions, type HostSessionOptions } from '../../src/tn3270/host/host-session-options.js';
import { findTerminalModel } from '../../src/tn3270/screen/screen-size.js';
import { recordingLog } from '../lines/listener/recording-log.js';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';

export interface HostedOptions {
  readonly tioaAtLogon?: string;
  readonly tioaAtLogoff?: string;
  readonly crypt?: string;
  readonly idleMilliseconds?: number;
  readonly initialMilliseconds?: number;
  readonly awayMilliseconds?: number;
  readonly sessionsPerAddress?: number;
  readonly runScenario?: () => Promise<undefined>;
  readonly scenarios?: Partial<SessionScenarios>;
}

/** 3270 data for a TN3270E terminal that is bound. */
const record = (data: string) => `00 00 00 0000 ${data} ffef`;

/** Sessions of a real service with a host over a real socket; the test says what the host sends. */
export class HostedSessions {
  readonly host: ScriptedHost;
  readonly #recorded = recordingLog();
  readonly #options: HostSessionOptions;
  readonly service: BrowserSessions;

  private constructor(host: ScriptedHost, port: number, reloadMilliseconds: number | undefined) {
    this.host = host;
    const model = soundValue(findTerminalModel('3279-2-E'));
    const codePage = findTerminalCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page');
    this.#options = {
      model,
      codePage,
      entryRules: { numericLock: false, blankFill: false },
      deviceNames: [],
      tn3270e: true,
      functions: allFunctions,
      environment: new Map(),
      connect: (handler, signal) =>
        openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 5_000, signal }, handler),
      startTls: undefined,
      negotiationMilliseconds: 5_000,
      keepAlive: undefined,
      trace: undefined,
    };
    const crypt = soundValue(readCryptDefinition(['CRYPT3270', '3TDEA', 'RSA-1024', 'NODE', 'HEX']));
    this.service = new BrowserSessions({
      crypts: [crypt],
      keyPool: { ready: 1, waiting: 10 },
      limits: { sessions: 100, ...(reloadMilliseconds === undefined ? {} : { reloadMilliseconds }) },
      log: this.#recorded.log,
    });
  }

  static async start(reloadMilliseconds?: number): Promise<HostedSessions> {
    const host = new ScriptedHost();
    const port = await host.listen();
    return new HostedSessions(host, port, reloadMilliseconds);
  }

  /** Everything logged, as text. */
  get logged(): string {
    return this.#recorded.texts.join('\n');
  }

  /** A session whose host is there, and has drawn nothing. */
  async begin(options: HostedOptions = {}): Promise<BrowserSession> {
    const before = this.host.sockets.length;
    const session = this.connect(options);
    await becomes(() => this.host.sockets.length > before);
    await this.host.send(AGREEMENT);
    return session;
  }

  /** A session whose host may not be there yet. */
  connect(options: HostedOptions = {}): BrowserSession {
    const { session } = this.service.begin({
      openTo: 'anybody',
      facts: {
        line: 'LINE',
        entryPoint: 'CLI',
        transaction: 'T',
        application: 'HOST',
        address: '127.0.0.1',
        directory: 'CLI-DIR',
        routingParameter: '',
        user: '',
        group: '',
      },
      host: { optionsFor: () => readAs(this.#options) },
      limits: {
        sessions: 100,
        sessionsPerAddress: options.sessionsPerAddress ?? 100,
        sessionStartsPerAddress: 1_000,
        sessionIdleSeconds: 300,
      },
      times: {
        idleMilliseconds: options.idleMilliseconds ?? 60_000,
        initialMilliseconds: options.initialMilliseconds ?? 60_000,
        awayMilliseconds: options.awayMilliseconds ?? 60_000,
      },
      crypt: options.crypt,
      wishes: { rows: undefined, columns: undefined, codePage: undefined, logmode: undefined, deviceName: undefined },
      tioaAtLogon: options.tioaAtLogon ?? '',
      tioaAtLogoff: options.tioaAtLogoff ?? '',
      scenarios: {
        has: () => false,
        run: async () => options.runScenario?.(),
        valuesOf: () => undefined,
        userResponded: () => undefined,
        ...options.scenarios,
      },
      rules: { transfer: async () => undefined, record: (_, make) => make() },
      parameter: () => undefined,
    });
    return session;
  }

  /** A session whose host has drawn a first screen. */
  async beginWith(data: string, options: HostedOptions = {}): Promise<BrowserSession> {
    const session = await this.begin(options);
    await this.host.send(`${BIND} ${record(data)}`);
    await session.settled();
    return session;
  }

  /** The host sends 3270 data. */
  draws(data: string): Promise<void> {
    return this.host.send(record(data));
  }

  /** The host's services, which are there before an application is, send text. */
  servicesSend(data: string): Promise<void> {
    return this.host.send(`07 00 00 0000 ${data} ffef`);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.host.close();
  }
}

/** Resolves once something is so. */
export async function becomes(holds: () => boolean): Promise<void> {
  await eventually(() => (holds() ? true : undefined));
}

/** What a page submits with Enter. */
export function submission(values: readonly Partial<SubmittedValue>[], further: Partial<Submission> = {}): Submission {
  return {
    key: { kind: 'attention', name: 'Enter' },
    cursor: undefined,
    values: values.map(({ address = 1, wire = '', isEncrypted = false, fieldId = `V${address.toString(16)}` }) => ({
      address,
      fieldId,
      wire,
      isEncrypted,
    })),
    wrappedKey: undefined,
    sessionCode: '',
    requestNumber: '',
    modifiesReceived: false,
    offered: [],
    base: { answerTo: undefined },
    ...further,
  };
}
