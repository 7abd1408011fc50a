// Preloaded into a server: a worker kills itself after accepting a connection, before reading from it.
import cluster from 'node:cluster';
import { subscribe } from 'node:diagnostics_channel';
import { unlinkSync } from 'node:fs';

/** In the folder of the server: the worker that accepts the next connection removes this file and kills itself. */
export const KILL_FILE = 'kill-on-accept';

export const killedOnAccept = ['--import', import.meta.url] as const;

subscribe('net.server.socket', () => {
  if (!cluster.isWorker) return;
  try {
    unlinkSync(KILL_FILE);
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
});
