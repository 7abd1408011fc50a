import { createActor, fromPromise, waitFor } from 'xstate';
import {
  defaultRetryMilliseconds,
  lineMachine,
  type OpeningOutcome,
  retryDelay,
} from '../../../machines/line.machine.js';
import type { SimulatedHost } from '../../demo/simulated-host/simulated-host.js';
import type { Log } from '../../lib/log/log.js';
import { openingErrorOf } from '../../lines/listener/line-opening-error.js';

interface SimulatedHostPortOptions {
  readonly name: string;
  readonly host: SimulatedHost;
  readonly address: { readonly host: string | undefined; readonly port: number };
  readonly log: Log;
  /** Waits between the attempts to open; the last one is kept. */
  readonly retryMilliseconds?: readonly number[];
}

/** The port of a simulated host: opened, and tried again where it is taken, as the port of a line is. */
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
        this.#say('error', 'the port of the simulated host did not open; everything else is served', { reason });
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

  /** Where a terminal reaches it; the port is the real one once it listens. */
  get url(): string {
    return this.#url;
  }

  /** Resolves after the first attempt, whatever has come of it. */
  async start(): Promise<void> {
    this.#actor.send({ type: 'operator.start' });
    await waitFor(this.#actor, (snapshot) => !snapshot.matches({ opening: 'attempting' }));
  }

  /** Ends every session of the host, and listens no more. */
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
