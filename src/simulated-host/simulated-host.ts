import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { CodePage } from '../codepage/code-page.js';
import type { Tn3270eFunction } from '../telnet/tn3270e-words.js';
import { AccountBook } from './account-book.js';
import type { Application, HostServices } from './application.js';
import { applications, type FirstApplication } from './applications/applications.js';
import type { FaultName, FaultSwitches } from './fault-switches.js';
import { TerminalSession } from './terminal-session.js';
import { UserList } from './user-list.js';

/** Terminals at a time; more are turned away. */
export const MOST_TERMINALS = 10_000;

export interface SimulatedHostOptions {
  readonly codePage: CodePage;
  /** Name → password. */
  readonly users: Readonly<Record<string, string>>;
  readonly start: FirstApplication;
  /** The names that terminals may ask for; none: any that none else has. */
  readonly deviceNames?: readonly string[];
  readonly faults?: readonly FaultName[];
  /** False: plain TN3270 only. */
  readonly tn3270e?: boolean;
  /** Further applications, by upper-case name; they may replace those that are there. */
  readonly applications?: Readonly<Record<string, Application>>;
  readonly now?: () => Date;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** PEM: TLS from the first byte. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
}

const functions: readonly Tn3270eFunction[] = ['bindImage', 'responses', 'sysReq', 'contentionResolution'];
const deviceName = /^[A-Z@#$][A-Z0-9@#$]{0,7}$/;

/** A TN3270E host with applications to look at: in this process by `connect`, for any terminal by `listen`. */
export class SimulatedHost {
  readonly #options: SimulatedHostOptions;
  readonly #services: Omit<HostServices, 'faults'>;
  readonly #servers: Server[] = [];
  readonly #streams = new Set<Duplex>();
  readonly #namesInUse = new Set<string>();
  #lastNumber = 0;

  constructor(options: SimulatedHostOptions) {
    this.#options = options;
    this.#services = {
      users: new UserList(options.users),
      accounts: new AccountBook(),
      now: options.now ?? (() => new Date()),
    };
  }

  get sessions(): number {
    return this.#streams.size;
  }

  /** The terminal's end of a connection within this process. */
  connect(): Duplex {
    const [terminal, host] = duplexPair();
    this.#accept(host);
    return terminal;
  }

  /** Resolves with the address once terminals may connect; rejects with node's error where they cannot. */
  listen({ host, port, tls }: ListenOptions): Promise<AddressInfo> {
    const server =
      tls === undefined
        ? createServer({ noDelay: true }, (socket) => this.#accept(socket))
        : createTlsServer({ ...tls, noDelay: true }, (socket) => this.#accept(socket));
    // a handshake that fails is the terminal's affair
    server.on('tlsClientError', () => undefined);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        this.#servers.push(server);
        resolve(server.address() as AddressInfo);
      });
    });
  }

  /** Ends every session, and listens no more. */
  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const stream of this.#streams) stream.destroy();
    await Promise.all(closed);
  }

  #accept(stream: Duplex): void {
    const faults: FaultSwitches = new Set(this.#options.faults);
    if (faults.has('refuse') || this.#streams.size >= MOST_TERMINALS) {
      stream.on('error', () => undefined);
      stream.destroy();
      return;
    }
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
    new TerminalSession(stream, {
      codePage: this.#options.codePage,
      functions,
      tn3270e: this.#options.tn3270e !== false,
      applications: { ...applications, ...this.#options.applications },
      first: this.#options.start,
      services: { ...this.#services, faults },
      assign: (name) => this.#assign(name, faults),
      ended: (name) => {
        if (name !== undefined) this.#namesInUse.delete(name);
      },
    });
  }

  #assign(
    name: string | undefined,
    faults: FaultSwitches,
  ): { name: string } | { reject: 'deviceInUse' | 'invalidName' } {
    const { deviceNames } = this.#options;
    if (faults.has('busy')) return { reject: 'deviceInUse' };
    if (name !== undefined) {
      const known = deviceNames === undefined ? deviceName.test(name) : deviceNames.includes(name);
      if (!known) return { reject: 'invalidName' };
      if (this.#namesInUse.has(name)) return { reject: 'deviceInUse' };
    }
    const given = name ?? this.#freeName();
    if (given === undefined) return { reject: 'deviceInUse' };
    this.#namesInUse.add(given);
    return { name: given };
  }

  #freeName(): string | undefined {
    const { deviceNames } = this.#options;
    if (deviceNames !== undefined) return deviceNames.find((name) => !this.#namesInUse.has(name));
    for (;;) {
      const name = `SIM${String(++this.#lastNumber % 100_000).padStart(5, '0')}`;
      if (!this.#namesInUse.has(name)) return name;
    }
  }
}
