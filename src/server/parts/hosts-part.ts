import { isDeepStrictEqual } from 'node:util';
import { createActor, fromPromise, waitFor } from 'xstate';
import {
  defaultRetryMilliseconds,
  lineMachine,
  type OpeningOutcome,
  retryDelay,
} from '../../../machines/line.machine.js';
import type { Configuration } from '../../config/configuration.js';
import type { RemoteHostDocument, SimulatedHostDocument } from '../../config/configuration-document.js';
import { readListenAddress } from '../../config/network-address.js';
import { SimulatedHost } from '../../demo/simulated-host/simulated-host.js';
import type { Log } from '../../lib/log/log.js';
import { LogThrottle } from '../../lib/log/log-throttle.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import { soundValue } from '../../lib/read-outcome.js';
import { openingErrorOf } from '../../lines/listener/line-opening-error.js';
import type { NeedsRestart } from '../../operation/configuration-operations.js';
import type { SessionHost } from '../../sessions/session-host.js';
import { findCodePage } from '../../tn3270/codepage/code-pages.js';
import { type Listener, type Part, type Replacement, unchanged, WAITS_FOR_PORT } from '../part.js';
import { remoteSessionHost, simulatedSessionHost } from './session-hosts.js';

type HostDocument = SimulatedHostDocument | RemoteHostDocument;

const TROUBLE_INTERVAL_MILLISECONDS = 1_000;

/** All hosts. If the port of the simulated host is taken, the rest of the server works. */
export class HostsPart implements Part {
  readonly name = 'hosts';
  readonly reads = ['hosts'] as const;
  readonly listeners: Listener[] = [];
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #stops: (() => Promise<void>)[] = [];
  #definitions: Configuration['hosts'];
  #sessionHosts: ReadonlyMap<string, SessionHost> = new Map();

  constructor({ hosts }: Configuration, log: Log, metrics = noMetrics) {
    this.#definitions = hosts;
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Current hosts. Callers may keep them across a reload. */
  get sessionHosts(): ReadonlyMap<string, SessionHost> {
    return this.#sessionHosts;
  }

  /** `address` is undefined for the simulated host. */
  get addresses(): readonly { readonly name: string; readonly address: string | undefined }[] {
    return [...this.#definitions].map(([name, definition]) => ({
      name,
      address: definition.simulated ? undefined : definition.address,
    }));
  }

  async start(): Promise<void> {
    const sessionHosts = new Map<string, SessionHost>();
    this.#sessionHosts = sessionHosts;
    for (const [name, definition] of this.#definitions) {
      if (definition.simulated) await this.#startSimulated(name, definition, sessionHosts);
      else sessionHosts.set(name, remoteSessionHost(definition, this.#metrics.ofHost(name)));
    }
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  /** New sessions use the new remote hosts. The simulated host stays, because it contains its sessions. */
  async replace({ hosts }: Configuration): Promise<Replacement> {
    const definitions = new Map<string, HostDocument>();
    const sessionHosts = new Map<string, SessionHost>();
    const takenOver: string[] = [];
    const needsRestart: NeedsRestart[] = [];
    for (const name of new Set([...this.#definitions.keys(), ...hosts.keys()])) {
      const [running, wanted] = [this.#definitions.get(name), hosts.get(name)];
      const isSame = isDeepStrictEqual(running, wanted);
      const isRefused = !isSame && (running?.simulated === true || wanted?.simulated === true);
      if (isRefused) needsRestart.push({ what: `hosts.${name}`, reason: 'a simulated host would end its sessions' });
      else if (!isSame) takenOver.push(`hosts.${name}`);
      const definition = isRefused ? running : wanted;
      if (definition === undefined) continue;
      const sessionHost =
        isSame || definition.simulated
          ? this.#sessionHosts.get(name)
          : remoteSessionHost(definition, this.#metrics.ofHost(name));
      definitions.set(name, definition);
      if (sessionHost !== undefined) sessionHosts.set(name, sessionHost);
    }
    return {
      ...unchanged,
      takenOver,
      needsRestart,
      take: () => {
        this.#definitions = definitions;
        this.#sessionHosts = sessionHosts;
      },
    };
  }

  async #startSimulated(
    name: string,
    definition: SimulatedHostDocument,
    sessionHosts: Map<string, SessionHost>,
  ): Promise<void> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) return;
    const throttle = new LogThrottle(TROUBLE_INTERVAL_MILLISECONDS);
    const host = new SimulatedHost({
      codePage,
      users: definition.users,
      start: definition.start,
      faults: definition.faults,
      report: (trouble, remoteAddress) => {
        const withheld = throttle.pass(performance.now());
        if (withheld !== undefined) this.#log.warn({ host: name, remoteAddress, withheld }, trouble);
      },
    });
    this.#stops.push(() => host.close());
    sessionHosts.set(name, simulatedSessionHost(definition, host, this.#metrics.ofHost(name)));
    if (definition.listen === undefined) return;
    const address = soundValue(readListenAddress(definition.listen));
    const port = new SimulatedHostPort({ name, host, address, log: this.#log });
    this.#stops.push(() => port.stop());
    await port.start();
    if (port.state === 'closed') return;
    const waits = port.state === 'listening' ? '' : WAITS_FOR_PORT;
    this.listeners.push({ name, url: port.url, purpose: `simulated host${waits}` });
  }
}

interface SimulatedHostPortOptions {
  readonly name: string;
  readonly host: SimulatedHost;
  readonly address: { readonly host: string | undefined; readonly port: number };
  readonly log: Log;
  /** Waits between attempts to open. The last one repeats. */
  readonly retryMilliseconds?: readonly number[];
}

/** Port of the simulated host. Like lines, it retries while the port is taken. */
export class SimulatedHostPort {
  readonly #options: SimulatedHostPortOptions;
  readonly #actor;
  #url: string;

  constructor(options: SimulatedHostPortOptions) {
    const { address, retryMilliseconds = defaultRetryMilliseconds } = options;
    this.#options = options;
    this.#url = urlOf(address.host ?? '::', address.port);
    this.#actor = createActor(
      lineMachine.provide({
        actors: {
          open: fromPromise<OpeningOutcome>(({ signal }) => this.#open(signal)),
          close: fromPromise<void>(() => options.host.close()),
        },
      }),
      { input: { retryMilliseconds } },
    );
    this.#actor.start();
    this.#actor.subscribe((snapshot) => {
      const { reason } = snapshot.context;
      if (snapshot.matches({ opening: 'waiting' })) {
        this.#say('warn', 'the port of the simulated host cannot open yet', {
          reason,
          nextTryMilliseconds: retryDelay(snapshot.context),
        });
      } else if (snapshot.matches('failed')) {
        this.#say('error', 'the port of the simulated host could not be opened; all other parts are running', {
          reason,
        });
      } else if (snapshot.matches('listening')) {
        this.#say('info', 'the simulated host listens', { url: this.url });
      }
    });
  }

  get state(): 'listening' | 'waiting' | 'closed' {
    const snapshot = this.#actor.getSnapshot();
    if (snapshot.matches('listening')) return 'listening';
    return snapshot.matches('opening') ? 'waiting' : 'closed';
  }

  /** URL for terminals, with the actual port when listening. */
  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    this.#actor.send({ type: 'operator.start' });
    await waitFor(this.#actor, (snapshot) => !snapshot.matches({ opening: 'attempting' }));
  }

  async stop(): Promise<void> {
    this.#actor.send({ type: 'operator.stop' });
    await waitFor(this.#actor, (snapshot) => snapshot.matches('closed') || snapshot.matches('failed'));
  }

  async #open(signal: AbortSignal): Promise<OpeningOutcome> {
    const { name, host, address } = this.#options;
    try {
      const at = await host.listen({ host: address.host ?? '::', port: address.port });
      this.#url = urlOf(at.address, at.port);
      if (signal.aborted) await host.close();
      return { kind: 'listening' };
    } catch (error) {
      const { fault, message } = openingErrorOf(error, { name, ...address }, 'host');
      return { kind: 'fault', fault, reason: message };
    }
  }

  #say(level: 'info' | 'warn' | 'error', message: string, facts: object): void {
    this.#options.log[level]({ host: this.#options.name, ...facts }, message);
  }
}

function urlOf(host: string, port: number): string {
  return `tn3270://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
