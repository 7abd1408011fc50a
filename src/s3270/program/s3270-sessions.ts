import { type ExitCode, exitCodes } from '../../lib/exit-codes.js';
import { daemonSocketPath } from './daemon/daemon-socket.js';
import { S3270Daemon } from './daemon/s3270-daemon.js';
import { runS3270 } from './run-s3270.js';
import { ownCaller } from './s3270-caller.js';

export async function runOwnSession(words: readonly string[]): Promise<number> {
  const code = await runS3270(ownCaller(words));
  // the parent process may leave standard input open
  process.stdin.destroy();
  return code;
}

export async function serveCallers(): Promise<ExitCode> {
  try {
    const path = daemonSocketPath();
    const daemon = await S3270Daemon.listen(path, runS3270);
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
