import { exitCodes } from '../../lib/exit-codes.js';
import { callDaemon } from './daemon/call-daemon.js';

/** Only asked of `sallyport s3270`: it is none of the options of s3270. */
const DAEMON = '--daemon';
const HELP = ['--help', '-?'];

/**
 * The daemon does it where one runs: what a session needs is loaded there already.
 * @param loadSessions what is needed where none does, which takes a while to load
 * @returns the exit code
 */
export async function runS3270Program(
  words: readonly string[],
  loadSessions: () => Promise<typeof import('./s3270-sessions.js')>,
): Promise<number> {
  const [first, ...further] = words;
  if (first !== DAEMON) return (await callDaemon(words)) ?? (await loadSessions()).runOwnSession(words);
  if (further.length === 0) return (await loadSessions()).serveCallers();
  if (further.every((word) => HELP.includes(word))) return (await loadSessions()).runOwnSession(['--help']);
  process.stderr.write(
    `${DAEMON} takes no further arguments: each s3270 that the daemon serves has its own. Use --help for the list of options\n`,
  );
  return exitCodes.usageOrConfigurationWrong;
}
