import { runDaemon } from './daemon/run-daemon.js';
import { runS3270 } from './run-s3270.js';
import { ownCaller } from './s3270-caller.js';

/** The sessions of all who call, until it is ended. @returns the exit code */
export function serveCallers(): Promise<number> {
  return runDaemon(runS3270);
}

/** The session of this process. @returns the exit code */
export async function runOwnSession(words: readonly string[]): Promise<number> {
  const code = await runS3270(ownCaller(words));
  // whoever has started this may leave its standard input open
  process.stdin.destroy();
  return code;
}
