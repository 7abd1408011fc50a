import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type HostTlsOptions, openHostConnection } from '../../host/host-connection.js';
import type { NamedHost } from '../../s3270/host-name.js';
import { answerScriptLine } from '../../s3270/script-answers.js';
import { ScriptedTerminal } from '../../s3270/scripted-terminal.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { traceInto } from '../host-trace-file.js';
import { readS3270Options, type S3270Options } from './s3270-options.js';

const STARTTLS_MILLISECONDS = 30_000;

/** Who has started s3270: a process, or another process through the daemon. */
export interface S3270Caller {
  /** The command line, without the command. */
  readonly words: readonly string[];
  /** In which relative names of files are found. */
  readonly folder: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly error: Writable;
  /** The caller has ended. */
  readonly gone?: AbortSignal;
}

export async function runS3270(caller: S3270Caller): Promise<ExitCode> {
  const options = readS3270Options(caller.words, caller.folder);
  if (options.kind === 'fault') {
    caller.error.write(`${options.fault}\n`);
    return exitCodes.usageOrConfigurationWrong;
  }
  await runScript(options.value, caller);
  return exitCodes.fine;
}

/** The process that this runs in. */
export function ownCaller(words: readonly string[]): S3270Caller {
  const { stdin: input, stdout: output, stderr: error } = process;
  return { words, folder: process.cwd(), input, output, error };
}

/** Answers each line of the input, until Quit or its end. */
async function runScript(options: S3270Options, { input, output, gone }: S3270Caller): Promise<void> {
  const terminal = terminalOf(options);
  const lines = createInterface({ input });
  // nobody reads the answers any more
  output.once('error', () => lines.close());
  gone?.addEventListener('abort', () => void terminal.disconnect());
  if (options.host !== undefined) await answerScriptLine(terminal, `Connect(${JSON.stringify(options.host)})`);
  for await (const line of lines) {
    const answer = await answerScriptLine(terminal, line);
    if (answer === undefined) break;
    output.write(answer);
  }
  input.pause();
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
