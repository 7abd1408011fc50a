import { callDaemon } from './cli/s3270/daemon/call-daemon.js';

const words = process.argv.slice(2);
process.exitCode = (await callDaemon(words)) ?? (await runHere());

/** No daemon runs. */
async function runHere(): Promise<number> {
  const { ownCaller, runS3270 } = await import('./cli/s3270/run-s3270.js');
  return runS3270(ownCaller(words));
}
