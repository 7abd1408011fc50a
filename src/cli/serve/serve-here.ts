import type { Configuration } from '../../config/configuration.js';
import type { Log, OpenedLog } from '../../lib/log/log.js';
import { startServer } from '../../server/server.js';
import {
  answerSupervisor,
  takeConnectionsBeforeReading,
  wishOfSupervisor,
} from '../../server/workers/worker-channel.js';
import { firstAdministrator } from '../users/first-administrator.js';
import { fileHandleLimit, warnOfFewHandles, watchHandles } from './file-handles.js';
import { endWithoutPorts, noteServingProcess, noteStopped, tellListeners } from './running-server.js';
import { type Stopping, workOnSignal } from './signals.js';

const BY_SIGNAL = { who: 'SIGHUP', from: 'the system' } as const;

export async function serveAlone(configuration: Configuration, opened: OpenedLog, stopping: Stopping): Promise<void> {
  const { log, lines, flush } = opened;
  const aboutUsers = await firstAdministrator(configuration);
  await lookAfterHandles(configuration, log);
  const server = await startServer(configuration, log, lines);
  flush();
  stopping.begin(async () => {
    await server.stop();
    await noteStopped(configuration.data);
  });
  void server.drained.then(() => stopping.stop('drained'));
  // set before the ready message, because callers may send signals as soon as they see it
  workOnSignal('SIGHUP', () => server.reload(BY_SIGNAL));
  workOnSignal('SIGUSR2', () =>
    log.warn('SIGUSR2 is ignored: it restarts workers, and this server has no workers (configuration key processes)'),
  );
  tellListeners(server.listeners, aboutUsers);
  await noteServingProcess(configuration, log);
  const withoutPort = server.linesWithoutPort.map(({ name }) => name);
  await endWithoutPorts(withoutPort, configuration, () => server.stop(), flush);
}

/** The supervisor handles ports, the note of the serving process and messages to the user. */
export async function serveAsWorker(
  worker: string,
  configuration: Configuration,
  { log, lines }: OpenedLog,
  stopping: Stopping,
): Promise<void> {
  takeConnectionsBeforeReading();
  await lookAfterHandles(configuration, log);
  const server = await startServer(configuration, log, lines, { worker, wish: wishOfSupervisor });
  stopping.begin(() => server.stop());
  void server.drained.then(() => stopping.stop('drained'));
  workOnSignal('SIGHUP', () => server.reload(BY_SIGNAL));
  process.on('SIGUSR2', () => server.drain());
  answerSupervisor(server);
}

async function lookAfterHandles(configuration: Configuration, log: Log): Promise<void> {
  const handles = await fileHandleLimit();
  if (handles === undefined) return;
  warnOfFewHandles(configuration, handles, log);
  watchHandles(handles, log);
}
