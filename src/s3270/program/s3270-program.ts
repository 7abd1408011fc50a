import { exitCodes } from '../../lib/exit-codes.js';
import { callDaemon } from './daemon/call-daemon.js';

/** Option of `sallyport s3270` that s3270 does not have. */
const DAEMON = '--daemon';
const HELP = ['--help', '-?'];

/** @param loadSessions loads the modules for a session in this process; the daemon has loaded them already */
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
