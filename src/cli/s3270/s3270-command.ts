import { Command } from 'commander';
import { type ExitCode, exitCodes, type Finish } from '../exit-codes.js';
import { ownCaller, runS3270 } from './run-s3270.js';

/** `sallyport s3270`: scripts that were written for s3270, on standard input and output. */
export function s3270Command(finish: Finish): Command {
  return new Command('s3270')
    .usage('[options of s3270] [host]')
    .argument('[words...]', 'options of s3270, each with one dash, and a host')
    .option('--daemon', 'run all sessions of this user, so that s3270 starts faster; docs/s3270.md')
    .helpOption('--help', 'display help for command')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      'after',
      `
Options of s3270: -model 2…5, -oversize COLUMNSxROWS, -codepage NAME, -user NAME, -port PORT, -connecttimeout SECONDS, -cafile FILE,
-certfile FILE, -keyfile FILE, -accepthostname NAME, -noverifycert, -trace, -tracefile FILE, -set NAME=VALUE, -xrm "s3270.NAME: VALUE",
-minversion VERSION. docs/s3270.md says which actions there are, and what is not there yet.

Example:
  printf '%s\\n' 'Connect(127.0.0.1:41023)' 'Ascii()' 'Quit' | sallyport s3270 -model 2`,
    )
    .action(async (_words: readonly string[], options: { readonly daemon?: boolean }, command: Command) => {
      finish(options.daemon ? await runDaemon() : await runS3270(ownCaller(command.args)));
    });
}

/** Runs until a signal ends it. */
async function runDaemon(): Promise<ExitCode> {
  const { daemonSocketPath } = await import('./daemon/daemon-socket.js');
  const { S3270Daemon } = await import('./daemon/s3270-daemon.js');
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
