import cluster, { type Worker } from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** As node:cluster hands a connection to a worker, and as the worker says whether it has taken it. */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

interface ConnectionHandle {
  close(): void;
}

const listening = new WeakSet<Worker>();

/**
 * Has other workers take connections that were handed to a worker which ended before it took them; where there are no others they
 * are closed. node:cluster forgets them, and their clients would wait for ever.
 */
export function handOverUntakenConnections(worker: Worker): void {
  const untaken = new Map<number, ConnectionHandle>();
  const { process } = worker;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [message, handle] = args as [ClusterMessage, ConnectionHandle | undefined];
    if (message.act === 'newconn' && message.seq !== undefined && handle) untaken.set(message.seq, handle);
    return send(...args);
  };
  process.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  worker.once('listening', () => listening.add(worker));
  worker.once('exit', () => void disconnected(worker));
  // all that it has said was read by then, and nothing more is handed to it
  worker.once('disconnect', () => {
    listening.delete(worker);
    const isServed = Object.values(cluster.workers ?? {}).some((other) => other !== undefined && listening.has(other));
    for (const [ack, handle] of [...untaken]) {
      if (isServed) process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false }, undefined);
      else handle.close();
    }
    untaken.clear();
  });
}

/** Node does not tell of it where a connection was on its way. */
async function disconnected(worker: Worker): Promise<void> {
  while (worker.isConnected()) await nextTurn();
  worker.process.emit('disconnect');
}
