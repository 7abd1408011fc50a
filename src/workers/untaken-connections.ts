import type { Worker } from 'node:cluster';

/** As node:cluster hands a connection to a worker, and as the worker says that it has taken it. */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

interface ConnectionHandle {
  close(): void;
}

/**
 * Closes connections that were handed to a worker which died before it took them. node:cluster forgets them, and their clients
 * would wait for ever.
 */
export function closeUntakenConnections(worker: Worker): void {
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
  worker.once('exit', () => {
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
  });
}
