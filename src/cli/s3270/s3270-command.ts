import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { type HostTlsOptions, openHostConnection } from '../../host/host-connection.js';
import type { NamedHost } from '../../s3270/host-name.js';
import { answerScriptLine } from '../../s3270/script-answers.js';
import { ScriptedTerminal } from '../../s3270/scripted-terminal.js';
import { exitCodes, type Finish } from '../exit-codes.js';
import { traceInto } from '../host-trace-file.js';
import { readS3270Options, type S3270Options } from './s3270-options.js';

const STARTTLS_MILLISECONDS = 30_000;

/** `sallyport s3270`: scripts that were written for s3270, on standard input and output. */
export function s3270Command(finish: Finish): Command {
  return new Command('s3270')
    .usage('[options of s3270] [host]')
    .argument('[words...]', 'options of s3270, each with one dash, and a host')
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
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      const options = readS3270Options(command.args);
      if (options.kind === 'fault') {
        process.stderr.write(`${options.fault}\n`);
        finish(exitCodes.usageOrConfigurationWrong);
        return;
      }
      await runScript(options.value);
    });
}

/** Answers each line of standard input, until Quit or its end. */
async function runScript(options: S3270Options): Promise<void> {
  const terminal = terminalOf(options);
  const lines = createInterface({ input: process.stdin });
  // nobody reads the answers any more
  process.stdout.once('error', () => lines.close());
  if (options.host !== undefined) await answerScriptLine(terminal, `Connect(${JSON.stringify(options.host)})`);
  for await (const line of lines) {
    const answer = await answerScriptLine(terminal, line);
    if (answer === undefined) break;
    process.stdout.write(answer);
  }
  process.stdin.destroy();
  await terminal.disconnect();
}

function terminalOf(options: S3270Options): ScriptedTerminal {
  const { connectSeconds, tls, toggles, traceFile } = options;
  const tlsFor = ({ verifies, acceptedName }: NamedHost): HostTlsOptions => {
    const serverName = acceptedName ?? toggles.get('acceptHostname').replace(/^dns:/i, '');
    return {
      ...tls,
      verify: verifies && toggles.isOn('verifyHostCert'),
      ...(serverName === '' || serverName === 'any' ? {} : { serverName }),
    };
  };
  return new ScriptedTerminal({
    ...options,
    trace: traceFile === undefined ? undefined : traceInto(traceFile),
    connect: (host, handler, signal) =>
      openHostConnection(
        {
          address: host,
          ...(host.tls ? { tls: tlsFor(host) } : {}),
          connectMilliseconds: connectSeconds * 1_000,
          signal,
        },
        handler,
      ),
    startTls: (host, connection, signal) => connection.startTls(tlsFor(host), signal, STARTTLS_MILLISECONDS),
  });
}
