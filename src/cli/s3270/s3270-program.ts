import { callDaemon } from './daemon/call-daemon.js';

/** Only asked of `sallyport s3270`: it is none of the options of s3270. */
const DAEMON = '--daemon';

/**
 * The daemon does it where one runs: what a session needs is loaded there already.
 * @param loadSessions what is needed where none does, which takes a while to load
 * @returns the exit code
 */
export async function runS3270Program(
  words: readonly string[],
  loadSessions: () => Promise<typeof import('./s3270-sessions.js')>,
): Promise<number> {
  if (words[0] === DAEMON) return (await loadSessions()).serveCallers();
  return (await callDaemon(words)) ?? (await loadSessions()).runOwnSession(words);
}
