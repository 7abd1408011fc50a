import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import type { CodePage } from '../../tn3270/codepage/code-page.js';
import type { DeviceAssignment } from '../../tn3270/telnet/host-negotiation.js';
import type { Tn3270eFunction } from '../../tn3270/telnet/tn3270e-words.js';
import { AccountBook } from './account-book.js';
import type { Application, HostServices } from './application.js';
import { applications, type FirstApplication } from './applications/applications.js';
import { DevicePool } from './device-pool.js';
import type { FaultName, FaultSwitches } from './fault-switches.js';
import { FileLibrary } from './file-transfer/file-library.js';
import { linesOfMember } from './member-library.js';
import { PrinterList } from './printer-device.js';
import { TerminalSession } from './terminal-session.js';
import { type TerminalLimits, type TerminalSessionOptions, terminalLimits } from './terminal-session-options.js';
import { UserList } from './user-list.js';

class TerminalGate {
  readonly #limits: TerminalLimits;
  readonly #byAddress = new Map<string, number>();
  #terminals = 0;

  constructor(limits: TerminalLimits) {
    this.#limits = limits;
  }

  /** @returns a function to call when the terminal disconnects */
  enter(address: string): ReadOutcome<() => void> {
    const { terminals, terminalsPerAddress } = this.#limits;
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (ofAddress >= terminalsPerAddress) return readFault(`more than ${terminalsPerAddress} terminals of one address`);
    if (this.#terminals >= terminals) return readFault(`more than ${terminals} terminals`);
    this.#terminals++;
    this.#byAddress.set(address, ofAddress + 1);
    return readAs(() => this.#leave(address));
  }

  #leave(address: string): void {
    this.#terminals--;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }
}

const WAITING_WITHOUT_PAUSE_BYTES = 1 << 16;

export interface SimulatedHostOptions {
  readonly codePage: CodePage;
  /** Passwords by user name. */
  readonly users: Readonly<Record<string, string>>;
  readonly start: FirstApplication;
  /** Permitted device names; any if undefined. */
  readonly deviceNames?: readonly string[];
  readonly faults?: readonly FaultName[];
  readonly tn3270e?: boolean;
  /** Additional applications by upper-case name; they may replace existing ones. */
  readonly applications?: Readonly<Record<string, Application>>;
  readonly limits?: Partial<TerminalLimits>;
  readonly now?: () => Date;
  readonly report?: (trouble: string, remoteAddress: string | undefined) => void;
}

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** PEM. TLS starts with the first byte. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
}

const functions: readonly Tn3270eFunction[] = ['bindImage', 'responses', 'sysReq', 'contentionResolution'];
const printerFunctions: readonly Tn3270eFunction[] = ['bindImage', 'dataStreamControl', 'responses', 'scsControlCodes'];

export class SimulatedHost {
  readonly #options: SimulatedHostOptions;
  readonly #services: Omit<HostServices, 'faults'>;
  readonly #servers: Server[] = [];
  readonly #streams = new Set<Duplex>();
  readonly #devices: DevicePool;
  readonly #printers: PrinterList;
  readonly #limits: TerminalLimits;
  readonly #gate: TerminalGate;

  constructor(options: SimulatedHostOptions) {
    this.#options = options;
    this.#devices = new DevicePool(options.deviceNames);
    this.#printers = new PrinterList(this.#devices, new DevicePool(undefined, 'PRT'));
    this.#limits = { ...terminalLimits, ...options.limits };
    this.#gate = new TerminalGate(this.#limits);
    this.#services = {
      users: new UserList(options.users),
      accounts: new AccountBook(),
      files: new FileLibrary((text) => options.codePage.encode(text), linesOfMember),
      printers: this.#printers,
      codePage: options.codePage,
      now: options.now ?? (() => new Date()),
    };
  }

  get sessions(): number {
    return this.#streams.size;
  }

  get devicesInUse(): number {
    return this.#devices.used;
  }

  connect(): Duplex {
    const [terminal, host] = duplexPair();
    // destroying one end of a pair does not notify the other
    terminal.once('close', () => host.destroy());
    host.once('close', () => {
      if (!host.writableFinished) terminal.destroy();
    });
    this.#accept(host, { idleMilliseconds: undefined });
    return terminal;
  }

  /** Resolves with the address when the port is open; rejects with the error of Node. */
  listen({ host, port, tls }: ListenOptions): Promise<AddressInfo> {
    const accept = (socket: Socket) => this.#accept(socket, this.#limits);
    const server =
      tls === undefined
        ? createServer(
            { noDelay: true, highWaterMark: WAITING_WITHOUT_PAUSE_BYTES },
            (socket) => this.#admit(socket) && accept(socket),
          )
        : createTlsServer(
            { ciphers: TLS_CIPHERS, ...tls, noDelay: true, handshakeTimeout: this.#limits.agreeMilliseconds },
            accept,
          );
    if (tls !== undefined) server.on('connection', (socket: Socket) => this.#admit(socket));
    server.on('tlsClientError', () => undefined);
    server.on('error', (error) => {
      if (server.listening) this.#options.report?.(`the port of the simulated host: ${error.message}`, undefined);
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        this.#servers.push(server);
        resolve(server.address() as AddressInfo);
      });
    });
  }

  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const stream of this.#streams) stream.destroy();
    await Promise.all(closed);
  }

  /** @returns false if the terminal is rejected; it gets a message if the connection is not encrypted */
  #admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const admission = this.#gate.enter(address);
    if (admission.kind === 'read') {
      socket.once('close', admission.value);
      return true;
    }
    this.#options.report?.(`a terminal was rejected: ${admission.fault}`, address);
    socket.on('error', () => undefined);
    socket.end(`This host accepts no more terminals: there are ${admission.fault}.\r\n`, () => socket.destroy());
    return false;
  }

  #accept(stream: Duplex, limits: Pick<TerminalSessionOptions, 'idleMilliseconds'>): void {
    const faults: FaultSwitches = new Set(this.#options.faults);
    if (faults.has('refuse')) {
      stream.on('error', () => undefined);
      stream.destroy();
      return;
    }
    this.#streams.add(stream);
    let giveBack: () => void = () => undefined;
    const assign = (pool: Pick<DevicePool, 'giveBack'>, take: () => DeviceAssignment) => {
      giveBack();
      giveBack = () => undefined;
      if (faults.has('busy')) return { reject: 'deviceInUse' } as const;
      const assignment = take();
      if ('name' in assignment) giveBack = () => pool.giveBack(assignment.name);
      return assignment;
    };
    stream.once('close', () => {
      this.#streams.delete(stream);
      giveBack();
    });
    new TerminalSession(stream, {
      ...this.#limits,
      ...limits,
      codePage: this.#options.codePage,
      functions,
      printerFunctions,
      tn3270e: this.#options.tn3270e !== false,
      applications: { ...applications, ...this.#options.applications },
      first: this.#options.start,
      services: { ...this.#services, faults },
      assign: (name, isPrinter) =>
        isPrinter
          ? assign(this.#printers, () => this.#printers.assign(name))
          : assign(this.#devices, () => this.#devices.take(name)),
      associate: (display) => assign(this.#printers, () => this.#printers.assignTo(display)),
    });
  }
}
