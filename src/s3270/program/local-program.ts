import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import {
  HostConnection,
  type HostConnectionHandler,
  type LineBytes,
  rawLine,
} from '../../tn3270/host/host-connection.js';
import type { ScreenSize } from '../../tn3270/screen/screen-size.js';
import { telnetCommands, telnetOptions } from '../../tn3270/telnet/telnet-codes.js';
import { ActionError } from '../action-error.js';
import type { S3270Caller } from './s3270-caller.js';

const IAC = telnetCommands.interpretAsCommand;
/** What a host says that sends back what is typed, as the pseudo-terminal does. */
const ECHOES = Buffer.of(
  ...[IAC, telnetCommands.will, telnetOptions.echo],
  ...[IAC, telnetCommands.will, telnetOptions.suppressGoAhead],
);
/** Node.js has no pseudo-terminals; this program of util-linux (bsdutils) has. */
const SCRIPT = 'script';

/**
 * Starts a program on a pseudo-terminal, which is spoken with as a host.
 * @throws ActionError where this machine has no pseudo-terminal for it
 */
export function openLocalProgram(
  words: readonly string[],
  { rows, columns }: ScreenSize,
  handler: HostConnectionHandler,
  { folder, environment }: S3270Caller,
): HostConnection {
  if (!isInPath(SCRIPT, environment)) {
    throw new ActionError(`-e needs the program ${SCRIPT} of util-linux (bsdutils)`);
  }
  // s3270 gives the words to a shell, too, as they are
  const settled = `stty rows ${rows} columns ${columns} echo 2>/dev/null; ${words.join(' ')}`;
  // both ways on one descriptor, so that its end is the end of both
  const child = spawn('/bin/sh', ['-c', `exec ${SCRIPT} -qfc "$1" /dev/null <&3 >&3 2>&3 3>&-`, 'sh', settled], {
    cwd: folder,
    env: { ...environment, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const stream = child.stdio[3] as unknown as Duplex;
  child.on('error', (error) => stream.destroy(error));
  stream.once('close', () => child.kill());
  stream.unshift(ECHOES);
  return new HostConnection(stream, handler, { host: words[0] ?? '', port: 0 }, { line: lineBehindEcho() });
}

function lineBehindEcho(): LineBytes {
  let isFirst = true;
  return {
    received: (chunk) => {
      if (!isFirst) return rawLine.received(chunk);
      isFirst = false;
      return Buffer.concat([ECHOES, rawLine.received(chunk.subarray(ECHOES.length))]);
    },
    sent: (bytes) => Buffer.from(Buffer.from(bytes).toString('latin1').replace(telnetOnly, withoutTelnet), 'latin1'),
  };
}

/** Commands, doubled bytes, and the null behind a carriage return. */
const telnetOnly = /\xff(?:[\xfb-\xfe][\s\S]|[\s\S])|\r\0/g;

function withoutTelnet(found: string): string {
  if (found === '\r\0') return '\r';
  return found === '\xff\xff' ? '\xff' : '';
}

function isInPath(program: string, { PATH = '/usr/bin:/bin' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
