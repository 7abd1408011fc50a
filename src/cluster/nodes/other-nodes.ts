import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import type { CarriedRequest } from './carried-request.js';
import { NodeLine, type NodePatience, type PassingOptions, type UpgradeAnswer } from './node-line.js';
import type { ClusterTls, NodeAddress } from './node-store.js';
import type { Seal } from './seal.js';

/** Where nodes are. */
interface NodeDirectory {
  /** Undefined: there is no such node. */
  find(code: string): FoundNode | undefined;
  /** The code of one that takes new sessions, as far as is known, and none of these; undefined: there is none. */
  anyForNewSession(except: ReadonlySet<string>): string | undefined;
  /** Codes of the other processes of this machine. */
  onThisMachine(): readonly string[];
  /** Looks for nodes that have come meanwhile. */
  lookAgain(): Promise<void>;
}

/** The seals of the internal lines: one key for the processes of a machine, one for the cluster. */
export type Seals = Readonly<Record<NodeAddress['kind'], Seal>>;

export interface FoundNode {
  readonly address: NodeAddress;
  /** It has missed a beat: it is asked whether it is there. */
  readonly isLate: boolean;
  /** It has not been heard of for a while: one that does not answer either is gone. */
  readonly isSilent: boolean;
}

/** How a request has come to this node: from its client, or from another node. */
export type Arrival = 'client' | NodeAddress['kind'];

/**
 * The other nodes, to which requests for their sessions are passed on. A request goes over TLS once and over a socket of a machine
 * once, at most, in this order: it cannot go round in circles.
 */
export class OtherNodes {
  readonly #directory: NodeDirectory;
  readonly #patience: NodePatience;
  readonly #seals: Seals;
  #tls: ClusterTls | undefined;
  readonly #lines = new Map<string, NodeLine>();

  /** @param tls undefined: there are none but on this machine */
  constructor(directory: NodeDirectory, tls: ClusterTls | undefined, patience: NodePatience, seals: Seals) {
    this.#directory = directory;
    this.#patience = patience;
    this.#seals = seals;
    this.#tls = tls;
  }

  anyForNewSession(except: ReadonlySet<string>): string | undefined {
    return this.#directory.anyForNewSession(except);
  }

  useTls(tls: ClusterTls): void {
    this.#tls = tls;
    for (const line of this.#lines.values()) if (line.address.kind === 'https') line.useTls(tls);
  }

  get onThisMachine(): readonly string[] {
    return this.#directory.onThisMachine();
  }

  /** @throws ServiceError SVC_ERR_NODE_GONE, SVC_ERR_NODE_UNREACHABLE, SVC_ERR_NODE_LATE, SVC_ERR_SERVICE_BUSY, SVC_ERR_SESSION_UNKNOWN */
  pass(
    code: string,
    request: IncomingMessage,
    carried: CarriedRequest,
    arrival: Arrival,
    options: PassingOptions,
  ): Promise<IncomingMessage> {
    return this.#with(code, arrival, (line) => line.pass(request, carried, options));
  }

  /** What a node answers to a question on behalf of a request. @throws ServiceError as `pass` does */
  ask(code: string, path: string, request: IncomingMessage, carried: CarriedRequest): Promise<string> {
    return this.#with(code, 'client', (line) => line.ask(path, request, carried));
  }

  /** What a node says of how much it does. @throws ServiceError as `pass` does, soon */
  async loadOf(code: string): Promise<string> {
    const found = this.#directory.find(code);
    if (found === undefined) throw new ServiceError('SVC_ERR_NODE_GONE');
    return this.#lineTo(code, found.address).loadOf(code);
  }

  /** @throws ServiceError as `pass` does */
  upgrade(code: string, request: IncomingMessage, carried: CarriedRequest, arrival: Arrival): Promise<UpgradeAnswer> {
    return this.#with(code, arrival, (line) => line.upgrade(request, carried));
  }

  /** Whether anything is under way with any of them. */
  get isWaiting(): boolean {
    return [...this.#lines.values()].some((line) => line.isInUse);
  }

  /** Cuts off what is under way with nodes that are silent and do not answer: what waits for them is told. */
  async cutOffGone(): Promise<void> {
    await Promise.all(
      [...this.#lines].map(async ([code, line]) => {
        const found = this.#directory.find(code);
        if (found !== undefined && (!found.isLate || (await line.isThere()))) return;
        // whoever was late may have been heard of meanwhile
        if (this.#directory.find(code)?.isSilent === false) return;
        line.close();
        if (this.#lines.get(code) === line) this.#lines.delete(code);
      }),
    );
  }

  close(): void {
    for (const line of this.#lines.values()) line.close();
    this.#lines.clear();
  }

  async #with<T>(code: string, arrival: Arrival, work: (line: NodeLine) => Promise<T>): Promise<T> {
    const found = this.#directory.find(code) ?? (await this.#lookedUp(code));
    if (found === undefined) throw new ServiceError('SVC_ERR_NODE_GONE');
    const { kind } = found.address;
    // whoever passed it on takes this node for that one
    if (arrival === 'unix' || arrival === kind) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    try {
      return await work(this.#lineTo(code, found.address));
    } catch (error) {
      const isLost = error instanceof ServiceError && error.code === 'SVC_ERR_NODE_UNREACHABLE';
      if (!isLost) throw error;
      await this.#directory.lookAgain();
      const { isSilent = true } = this.#directory.find(code) ?? {};
      throw isSilent ? new ServiceError('SVC_ERR_NODE_GONE', { cause: error }) : error;
    }
  }

  async #lookedUp(code: string): Promise<FoundNode | undefined> {
    await this.#directory.lookAgain();
    return this.#directory.find(code);
  }

  #lineTo(code: string, address: NodeAddress): NodeLine {
    const known = this.#lines.get(code);
    if (known !== undefined && isSameAddress(known.address, address)) return known;
    known?.close();
    const tls = address.kind === 'https' ? this.#tls : undefined;
    const line = new NodeLine(address, tls, this.#patience, this.#seals[address.kind]);
    this.#lines.set(code, line);
    return line;
  }
}

function isSameAddress(one: NodeAddress, other: NodeAddress): boolean {
  return one.kind === 'unix'
    ? other.kind === 'unix' && one.path === other.path
    : other.kind === 'https' && one.host === other.host && one.port === other.port;
}
