import type { Configuration } from '../../config/configuration.js';
import type { OpenedLog } from '../../lib/log/log.js';
import { Supervisor } from '../../server/workers/supervisor.js';
import { usableConfiguration } from '../configuration-file.js';
import { firstAdministrator } from '../users/first-administrator.js';
import { endWithoutPorts, noteServingProcess, noteStopped, tellListeners } from './running-server.js';
import { type Stopping, workOnSignal } from './signals.js';

/** Serves with several processes. This one starts them, and answers only health and metrics requests. */
export async function supervise(configuration: Configuration, opened: OpenedLog, stopping: Stopping): Promise<void> {
  const { log, flush } = opened;
  const aboutUsers = await firstAdministrator(configuration);
  const supervisor = new Supervisor(configuration, {
    log,
    checkConfiguration: async () =>
      (await usableConfiguration(configuration.file, { withPoolPasswords: true })) !== undefined,
    drained: () => stopping.stop('drained'),
  });
  stopping.begin(async () => {
    await supervisor.stop();
    await noteStopped(configuration.data);
  });
  const failed = await supervisor.start();
  flush();
  if (failed !== undefined) {
    // during a stop, the stop function ends the process
    if (!stopping.isBegun()) process.exit(failed);
    return;
  }
  // set before the ready message, because callers may send signals as soon as they see it
  workOnSignal('SIGHUP', () => supervisor.reload());
  workOnSignal('SIGUSR2', () => supervisor.restart());
  tellListeners(supervisor.listeners, aboutUsers);
  await noteServingProcess(configuration, log);
  await endWithoutPorts(supervisor.linesWithoutPort, configuration, () => supervisor.stop(), flush);
}
