import cluster, { type Worker } from 'node:cluster';
import { nextTick } from 'node:process';
import type { KeptPorts } from './kept-ports.js';

/** As node:cluster hands a connection to a worker or lets it listen at a port, and as the worker answers. */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
  /** Of a port. */
  readonly key?: string;
  readonly errno?: number | null;
}

interface ConnectionHandle {
  close(): void;
}

/** Where each worker takes connections. */
const ports = new WeakMap<Worker, Set<string>>();

/**
 * Has other workers take connections that were handed to a worker which ended before it took them. If no other worker listens at
 * that port and it is not kept, the connections are closed. node:cluster forgets them, and their clients would wait for ever.
 */
export function handOverUntakenConnections(worker: Worker, kept: Pick<KeptPorts, 'has'>): void {
  const untaken = new Map<number, { readonly key: string | undefined; readonly handle: ConnectionHandle }>();
  const ownPorts = new Set<string>();
  ports.set(worker, ownPorts);
  const { process } = worker;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [{ act, seq, ack, key, errno }, handle] = args as [ClusterMessage, ConnectionHandle | undefined];
    if (act === 'newconn' && seq !== undefined && handle) untaken.set(seq, { key, handle });
    else if (ack !== undefined && key !== undefined && !errno) ownPorts.add(key);
    return send(...args);
  };
  process.on('internalMessage', ({ act, ack, key }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
    if (act === 'close' && key !== undefined) ownPorts.delete(key);
  });
  tellOfEnd(worker);
  // all that it has said was read by then, and nothing more is handed to it
  worker.once('disconnect', () => {
    ports.delete(worker);
    const others = Object.values(cluster.workers ?? {}).map((other) => other && ports.get(other));
    for (const [ack, { key, handle }] of [...untaken]) {
      const isServed = key !== undefined && (kept.has(key) || others.some((their) => their?.has(key)));
      if (isServed) process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false }, undefined);
      else handle.close();
    }
    untaken.clear();
  });
}

/**
 * Has node:cluster know at once that a worker has ended. Where a connection is on its way to it, Node tells of that at no time, and
 * connections that are handed to it meanwhile are forgotten.
 */
function tellOfEnd({ process }: Worker): void {
  let isTold = false;
  process.once('disconnect', () => {
    isTold = true;
  });
  const disconnect = process.disconnect.bind(process);
  process.disconnect = () => {
    disconnect();
    nextTick(() => {
      if (!isTold) process.emit('disconnect');
    });
  };
}
