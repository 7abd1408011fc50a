import cluster, { type Worker } from 'node:cluster';
import { nextTick } from 'node:process';

const KEPT_MILLISECONDS = 30_000;

interface PortMessage {
  readonly act?: string;
  readonly seq?: number | typeof KEPT;
  readonly ack?: number | typeof KEPT;
  readonly key?: string;
  readonly errno?: number | null;
  readonly port?: number;
}

/** Sequence number of the supervisor's own request, and ID in the list of listeners. */
const KEPT = 'kept';
const NOBODY = 'nobody';

interface KeptPort {
  /** Worker in whose name the port is kept. It may have ended. */
  readonly keeper: Worker;
  readonly listening: Set<Worker>;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * Keeps ports open while no worker listens. node:cluster closes a port when its last worker ends, so clients would be
 * refused until another worker starts. Here the supervisor keeps listening, and connections wait for the next worker.
 *
 * node:cluster closes a port when its list of workers is empty, and has no interface to add other entries. So each port
 * is requested a second time, with an ID that no worker has.
 */
export class KeptPorts {
  readonly #ports = new Map<string, KeptPort>();
  #isOver = false;

  constructor() {
    // When the last worker is gone, node:cluster asserts that no ports are left open.
    Object.assign(cluster.workers ?? {}, { [KEPT]: { id: KEPT, isConnected: () => false } });
  }

  of(worker: Worker): void {
    const asked = new Map<number, PortMessage>();
    const { process } = worker;
    const send = process.send.bind(process) as (...args: unknown[]) => boolean;
    process.send = (...args: unknown[]) => {
      const [{ ack, key, errno }] = args as [PortMessage];
      if (ack === KEPT) {
        // This ID is not in the list, so no connections are handed to it.
        (worker as { id: number | string }).id = NOBODY;
        return true;
      }
      const question = ack === undefined ? undefined : asked.get(ack);
      if (ack !== undefined) asked.delete(ack);
      if (question !== undefined && key !== undefined && !errno) nextTick(() => this.#listens(worker, key, question));
      return send(...args);
    };
    // Runs before node:cluster, which answers at once if the port is open.
    process.prependListener('internalMessage', (message: PortMessage) => {
      const { act, seq, key, port = -1 } = message;
      // A Unix socket belongs to one worker and ends with it.
      if (act === 'queryServer' && typeof seq === 'number' && port >= 0) asked.set(seq, message);
      if (act === 'close' && key !== undefined) this.#closes(worker, key);
    });
    worker.once('disconnect', () => this.#ends(worker));
  }

  /** Call when a worker serves the current configuration. Ports without a worker are then no longer needed. */
  serving(): void {
    for (const [key, { listening }] of this.#ports) if (listening.size === 0) this.#release(key);
  }

  close(): void {
    this.#isOver = true;
    for (const key of [...this.#ports.keys()]) this.#release(key);
  }

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

  /** A line was closed, while its worker continues. */
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

  /** If no worker listens, node:cluster closes the port and its waiting connections. */
  #release(key: string): void {
    const port = this.#ports.get(key);
    if (port === undefined) return;
    clearTimeout(port.expiry);
    this.#ports.delete(key);
    inItsName(port.keeper, { act: 'close', key });
  }
}

/** Makes node:cluster process a message as if from a worker with another ID. */
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
