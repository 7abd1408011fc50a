import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import type { CarriedRequest } from './carried-request.js';
import { NodeLine, type NodePatience, type PassingOptions, type UpgradeAnswer } from './node-line.js';
import type { ClusterTls, NodeAddress } from './node-store.js';
import type { Seal } from './seal.js';

interface NodeDirectory {
  find(code: string): FoundNode | undefined;
  /** Code of a node that takes new sessions, as far as known, and is not in `except`. Undefined if there is none. */
  anyForNewSession(except: ReadonlySet<string>): string | undefined;
  onThisMachine(): readonly string[];
  lookAgain(): Promise<void>;
}

/** One key for the processes of a machine, another for the cluster. */
export type Seals = Readonly<Record<NodeAddress['kind'], Seal>>;

export interface FoundNode {
  readonly address: NodeAddress;
  /** The last report is overdue. A presence check decides. */
  readonly isLate: boolean;
  /** No report for longer. If the presence check also fails, the node is gone. */
  readonly isSilent: boolean;
}

export type Arrival = 'client' | NodeAddress['kind'];

/**
 * Forwards requests to the nodes that have their sessions. A request takes at most one TLS hop and then one socket hop,
 * so it cannot loop.
 */
export class OtherNodes {
  readonly #directory: NodeDirectory;
  readonly #patience: NodePatience;
  readonly #seals: Seals;
  #tls: ClusterTls | undefined;
  readonly #lines = new Map<string, NodeLine>();

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

  /**
   * @throws ServiceError SVC_ERR_NODE_GONE, SVC_ERR_NODE_UNREACHABLE, SVC_ERR_NODE_LATE, SVC_ERR_SERVICE_BUSY,
   * SVC_ERR_SESSION_UNKNOWN
   */
  pass(
    code: string,
    request: IncomingMessage,
    carried: CarriedRequest,
    arrival: Arrival,
    options: PassingOptions,
  ): Promise<IncomingMessage> {
    return this.#with(code, arrival, (line) => line.pass(request, carried, options));
  }

  ask(code: string, path: string, request: IncomingMessage, carried: CarriedRequest): Promise<string> {
    return this.#with(code, 'client', (line) => line.ask(path, request, carried));
  }

  async loadOf(code: string): Promise<string> {
    const found = this.#directory.find(code);
    if (found === undefined) throw new ServiceError('SVC_ERR_NODE_GONE');
    return this.#lineTo(code, found.address).loadOf(code);
  }

  upgrade(code: string, request: IncomingMessage, carried: CarriedRequest, arrival: Arrival): Promise<UpgradeAnswer> {
    return this.#with(code, arrival, (line) => line.upgrade(request, carried));
  }

  get isWaiting(): boolean {
    return [...this.#lines.values()].some((line) => line.isInUse);
  }

  /** Aborts requests to nodes that are overdue and fail the presence check. */
  async cutOffGone(): Promise<void> {
    await Promise.all(
      [...this.#lines].map(async ([code, line]) => {
        const found = this.#directory.find(code);
        if (found !== undefined && (!found.isLate || (await line.isThere()))) return;
        // The node may have reported during the check.
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
    // The request was already forwarded to this node, which does not have this code.
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
