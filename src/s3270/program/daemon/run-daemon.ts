import { type ExitCode, exitCodes } from '../../../lib/exit-codes.js';
import { daemonSocketPath } from './daemon-socket.js';
import { S3270Daemon, type Serve } from './s3270-daemon.js';

/** Runs until a signal ends it. */
export async function runDaemon(serve: Serve): Promise<ExitCode> {
  try {
    const path = daemonSocketPath();
    const daemon = await S3270Daemon.listen(path, serve);
    process.stdout.write(`The s3270 daemon listens at ${path}.\n`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    await daemon.close();
    return exitCodes.fine;
  } catch (error) {
    process.stderr.write(`The s3270 daemon did not start: ${(error as Error).message}\n`);
    return exitCodes.workFailed;
  }
}
