import { callDaemon } from './daemon/call-daemon.js';

/** Only asked of `sallyport s3270`: it is none of the options of s3270. */
const DAEMON = '--daemon';

/** The daemon does it where one runs: what a session needs is loaded there already. @returns the exit code */
export async function runS3270Program(words: readonly string[]): Promise<number> {
  if (words[0] === DAEMON) {
    const [{ runDaemon }, { runS3270 }] = await Promise.all([
      import('./daemon/run-daemon.js'),
      import('./run-s3270.js'),
    ]);
    return runDaemon(runS3270);
  }
  const code = await callDaemon(words);
  if (code !== undefined) return code;
  const [{ ownCaller }, { runS3270 }] = await Promise.all([import('./s3270-caller.js'), import('./run-s3270.js')]);
  const ownCode = await runS3270(ownCaller(words));
  // whoever has started this may leave its standard input open
  process.stdin.destroy();
  return ownCode;
}
