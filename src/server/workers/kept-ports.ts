import cluster, { type Worker } from 'node:cluster';
import { nextTick } from 'node:process';

/** How long connections wait for a worker at a port that no worker listens at. */
const KEPT_MILLISECONDS = 30_000;

/** Messages of node:cluster about a port. */
interface PortMessage {
  readonly act?: string;
  readonly seq?: number | typeof KEPT;
  readonly ack?: number | typeof KEPT;
  readonly key?: string;
  readonly errno?: number | null;
  readonly port?: number;
}

/** Sequence of our own question, and id in the list of those who listen at a port. */
const KEPT = 'kept';
const NOBODY = 'nobody';

interface KeptPort {
  /** Worker in whose name the port is kept; it may have ended. */
  readonly keeper: Worker;
  readonly listening: Set<Worker>;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * Keeps ports open while no worker listens at them: node:cluster closes a port when its last worker ends, and clients would be
 * refused until another one has started. Here the supervisor listens on, and connections wait for the next worker.
 *
 * node:cluster closes a port when nobody is left in its list, and has no call to enter somebody else. So a worker asks for the
 * port a second time, under an id that no worker has.
 */
export class KeptPorts {
  readonly #ports = new Map<string, KeptPort>();
  #isOver = false;

  constructor() {
    // it takes kept ports for a leak when the last worker is gone
    Object.assign(cluster.workers ?? {}, { [KEPT]: { id: KEPT, isConnected: () => false } });
  }

  /** Ports of this worker are kept from now on. */
  of(worker: Worker): void {
    const asked = new Map<number, PortMessage>();
    const { process } = worker;
    const send = process.send.bind(process) as (...args: unknown[]) => boolean;
    process.send = (...args: unknown[]) => {
      const [{ ack, key, errno }] = args as [PortMessage];
      if (ack === KEPT) {
        // an id that is not in the list: no connection is handed to it
        (worker as { id: number | string }).id = NOBODY;
        return true;
      }
      const question = ack === undefined ? undefined : asked.get(ack);
      if (ack !== undefined) asked.delete(ack);
      if (question !== undefined && key !== undefined && !errno) nextTick(() => this.#listens(worker, key, question));
      return send(...args);
    };
    // before node:cluster, which answers at once if it has the port
    process.prependListener('internalMessage', (message: PortMessage) => {
      const { act, seq, key, port = -1 } = message;
      // a Unix socket is that of one worker, and ends with it
      if (act === 'queryServer' && typeof seq === 'number' && port >= 0) asked.set(seq, message);
      if (act === 'close' && key !== undefined) this.#closes(worker, key);
    });
    worker.once('disconnect', () => this.#ends(worker));
  }

  /** A worker serves, by the configuration of now: ports that no worker listens at are no longer needed. */
  serving(): void {
    for (const [key, { listening }] of this.#ports) if (listening.size === 0) this.#release(key);
  }

  close(): void {
    this.#isOver = true;
    for (const key of [...this.#ports.keys()]) this.#release(key);
  }

  /** Whether connections at a port wait for the next worker. */
  has(key: string): boolean {
    return this.#ports.has(key);
  }

  #listens(worker: Worker, key: string, question: PortMessage): void {
    if (this.#isOver || !worker.isConnected()) return;
    const known = this.#ports.get(key);
    if (known === undefined) {
      this.#ports.set(key, { keeper: worker, listening: new Set([worker]), expiry: undefined });
      inItsName(worker, { ...question, seq: KEPT });
      return;
    }
    clearTimeout(known.expiry);
    known.listening.add(worker);
  }

  /** A line was closed, and not by the end of the worker. */
  #closes(worker: Worker, key: string): void {
    const port = this.#ports.get(key);
    if (port?.listening.delete(worker) && port.listening.size === 0) this.#release(key);
  }

  #ends(worker: Worker): void {
    for (const [key, port] of this.#ports) {
      if (!port.listening.delete(worker) || port.listening.size > 0) continue;
      port.expiry = setTimeout(() => this.#release(key), KEPT_MILLISECONDS).unref();
    }
  }

  /** node:cluster closes the port, and the connections that wait, if no worker listens there. */
  #release(key: string): void {
    const port = this.#ports.get(key);
    if (port === undefined) return;
    clearTimeout(port.expiry);
    this.#ports.delete(key);
    inItsName(port.keeper, { act: 'close', key });
  }
}

/** Has node:cluster take a message for that of a worker with another id. */
function inItsName(worker: Worker, message: PortMessage): void {
  const { id } = worker;
  const named = worker as { id: number | string };
  named.id = KEPT;
  try {
    worker.process.emit('internalMessage' as 'message', { cmd: 'NODE_CLUSTER', ...message }, undefined);
  } finally {
    named.id = id;
  }
}
