import { join } from 'node:path';
import pino from 'pino';
import { loadServices } from '../../src/config/load-services.js';
import type { Application, HostServices, PanelInput, Terminal } from '../../src/demo/simulated-host/application.js';
import { accounts } from '../../src/demo/simulated-host/applications/accounts.js';
import { members } from '../../src/demo/simulated-host/applications/members.js';
import { menu } from '../../src/demo/simulated-host/applications/menu.js';
import type { Panel } from '../../src/demo/simulated-host/panel.js';
import { SimulatedHost, type SimulatedHostOptions } from '../../src/demo/simulated-host/simulated-host.js';
import { readParameters } from '../../src/services/parameter.js';
import type { PoolDefinition } from '../../src/services/pool-state.js';
import { type CallOutcome, ServiceCalls } from '../../src/services/service-calls.js';
import type { ServiceDefinition, ServiceStep } from '../../src/services/service-definition.js';
import { SessionPool } from '../../src/services/session-pool.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { HostConnection, openHostConnection } from '../../src/tn3270/host/host-connection.js';
import { hostSessionOptions } from '../support/host-session-options.js';
import { projectFolder } from '../support/project.js';

export const servicesFolder = join(projectFolder, 'templates', 'services');

interface HostedOptions {
  readonly host?: Partial<SimulatedHostOptions>;
  readonly pool?: Partial<PoolDefinition>;
  readonly folder?: string;
  /** For the host to answer a step; undefined: what the services say. */
  readonly stepMilliseconds?: number;
  /** 0: one that is free. */
  readonly port?: number;
  readonly isListening?: boolean;
  /** Through the process, not through the network. */
  readonly isInProcess?: boolean;
}

type MakePool = (definition: PoolDefinition, before: SessionPool | undefined) => SessionPool;

/** Services over pools, with a simulated host behind a real socket. */
export class HostedServices {
  readonly calls: ServiceCalls;
  readonly host: SimulatedHost;
  /** Lines of the log, as objects. */
  readonly log: Record<string, unknown>[];
  readonly definition: PoolDefinition;
  readonly #listen: (port: number) => Promise<void>;
  readonly #makePool: MakePool;
  readonly #retired: SessionPool[] = [];
  #pool: SessionPool;
  #isStopped = false;

  private constructor(
    made: Pick<HostedServices, 'calls' | 'pool' | 'host' | 'log' | 'definition'>,
    listen: (port: number) => Promise<void>,
    makePool: MakePool,
  ) {
    this.calls = made.calls;
    this.#pool = made.pool;
    this.host = made.host;
    this.log = made.log;
    this.definition = made.definition;
    this.#listen = listen;
    this.#makePool = makePool;
  }

  get pool(): SessionPool {
    return this.#pool;
  }

  /** Puts another pool in its place, as a reload of the configuration does. Calls still go to the first pool. */
  replacePool(changes: Partial<PoolDefinition>): void {
    const before = this.#pool;
    this.#pool = this.#makePool({ ...this.definition, ...changes }, before);
    this.#retired.push(before);
    before.retire();
    this.#pool.start();
  }

  static async start(options: HostedOptions = {}): Promise<HostedServices> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: { DEMO: 'demo' }, start: 'SIGNON', ...options.host });
    const { screens, services: all, reports } = await loadServices(options.folder ?? servicesFolder);
    if (reports.length > 0) throw new Error(JSON.stringify(reports));
    const services = new Map([...all].map(([name, service]) => [name, withTime(service, options.stepMilliseconds)]));
    let port = options.port ?? 0;
    const listen = async (at: number) => {
      port = (await host.listen({ host: '127.0.0.1', port: at })).port;
    };
    if (options.isListening !== false) await listen(port);
    const definition = { ...usualPool, ...options.pool };
    const log: Record<string, unknown>[] = [];
    const home = screens.get(definition.home);
    if (home === undefined) throw new Error(`no screen ${definition.home}`);
    const stepsOf = (name: string): readonly ServiceStep[] => {
      const work = services.get(name)?.work;
      if (work?.kind !== 'steps') throw new Error(`no service ${name}`);
      return work.steps;
    };
    const makePool: MakePool = (made, before) =>
      new SessionPool({
        definition: made,
        before,
        context: {
          screens,
          home,
          signOn: stepsOf(definition.signOn),
          signOff: definition.signOff === undefined ? undefined : stepsOf(definition.signOff),
          returnHome: definition.returnHome,
        },
        host: hostSessionOptions({
          connect: async (handler, signal) =>
            options.isInProcess === true
              ? new HostConnection(host.connect(), handler, { host: 'simulated', port: 0 })
              : openHostConnection(
                  { address: { host: '127.0.0.1', port }, connectMilliseconds: 5_000, signal },
                  handler,
                ),
        }),
        audit: { record: (_, make) => make() },
        log: pino({ level: 'trace' }, { write: (line) => log.push(JSON.parse(line)) }),
      });
    const pool = makePool(definition, undefined);
    const calls = new ServiceCalls({ screens, services, pools: new Map([[definition.name, pool]]) });
    const hosted = new HostedServices({ calls, pool, host, log, definition }, listen, makePool);
    pool.start();
    return hosted;
  }

  listen(port: number): Promise<void> {
    return this.#listen(port);
  }

  call(
    service: string,
    parameters: Record<string, unknown> = {},
    { caller = 'caller', signal = new AbortController().signal } = {},
  ): Promise<CallOutcome> {
    const definition = this.calls.definitions.get(service);
    const read = readParameters(definition?.parameters ?? new Map(), parameters);
    if (read.kind === 'faults') throw new Error(JSON.stringify(read.faults));
    return this.calls.call({ service, values: read.values, caller, by: { who: caller, from: 'test' }, signal });
  }

  async stop(graceMilliseconds = 5_000): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await Promise.all([this.#pool, ...this.#retired].map((pool) => pool.stop(graceMilliseconds)));
    await this.host.close();
  }
}

export const usualPool: PoolDefinition = {
  name: 'ACCOUNTS',
  host: 'SIM',
  ready: 1,
  most: 2,
  users: [{ user: 'DEMO', password: Buffer.from('demo') }],
  sessionsPerUser: 8,
  signOn: 'sign-on',
  signOff: 'sign-off',
  home: 'MENU',
  returnHome: ['pf3', 'pf3'],
  checkoutMilliseconds: 30_000,
  waitMilliseconds: 30_000,
  idleMilliseconds: 600_000,
  keepAliveMilliseconds: undefined,
};

function withTime(service: ServiceDefinition, withinMilliseconds: number | undefined): ServiceDefinition {
  const { work } = service;
  if (work.kind !== 'steps' || withinMilliseconds === undefined) return service;
  return { ...service, work: { ...work, steps: work.steps.map((step) => ({ ...step, withinMilliseconds })) } };
}

/** An application that is told before it shows a panel. */
export function watched(
  application: Application,
  before: (host: HostServices, terminal: Terminal) => void | Promise<void>,
): Application {
  return (terminal, host) => {
    const show = async (panel: Panel): Promise<PanelInput> => {
      await before(host, terminal);
      return terminal.show(panel);
    };
    const shown = new Proxy(terminal, {
      get: (target, key) => {
        if (key === 'show') return show;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    });
    return application(shown, host);
  };
}

/** The applications that the services walk, each told before it shows a panel. */
export function watchedApplications(
  before: (
    application: 'MENU' | 'ACCOUNTS' | 'MEMBERS',
    host: HostServices,
    terminal: Terminal,
  ) => void | Promise<void>,
): Readonly<Record<string, Application>> {
  return {
    MENU: watched(menu, (host, terminal) => before('MENU', host, terminal)),
    ACCOUNTS: watched(accounts, (host, terminal) => before('ACCOUNTS', host, terminal)),
    MEMBERS: watched(members, (host, terminal) => before('MEMBERS', host, terminal)),
  };
}

/** Starts services whose pools end with the test. */
export function hostedForEachTest(): typeof HostedServices.start {
  const started: HostedServices[] = [];
  afterEach(async () => {
    for (const hosted of started.splice(0)) await hosted.stop(0);
  });
  return async (options) => {
    const hosted = await HostedServices.start(options);
    started.push(hosted);
    return hosted;
  };
}
