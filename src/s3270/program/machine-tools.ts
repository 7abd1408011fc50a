import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { appendFile, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { constants, hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { makePrivateFile } from '../../lib/files/private-path.js';
import { HostTrace } from '../../tn3270/host/host-trace.js';
import { ActionError } from '../action-error.js';
import { Script } from '../script.js';
import type { ScriptTools } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { openHttpPort } from './http-port.js';
import type { S3270Caller } from './s3270-caller.js';
import { answerLines, type OpenPort, openScriptPort } from './script-port.js';
import type { ScriptPorts } from './script-ports.js';
import { systemErrorWords } from './system-error-words.js';
import { checkReceivingFile, isFileThere, readTransferredFile, writeTransferredFile } from './transferred-file.js';

const MOST_FILE_BYTES = 1 << 20;

interface MachineOptions {
  readonly mostTraceBytes: number | undefined;
  readonly ports: ScriptPorts;
  readonly cookie: () => string | undefined;
}

/** Files and programs of this machine, with the rights of the user who started the terminal. */
export function machineTools(
  { mostTraceBytes, ports, cookie }: MachineOptions,
  caller: S3270Caller,
): ScriptTools<ScriptedTerminal> {
  const inFolder = (file: string) => resolve(caller.folder, file);
  return {
    readLines: async (file) => {
      // an empty name would resolve to the folder
      if (file === '') throw new ActionError(': No such file or directory');
      try {
        if ((await stat(inFolder(file))).size > MOST_FILE_BYTES)
          throw new ActionError(`${file}: more than ${MOST_FILE_BYTES} bytes`);
        return (await readFile(inFolder(file), 'utf8')).split(/\r?\n/);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw new ActionError(`Source(${file}) read error`);
        throw fileError(file, error);
      }
    },
    writeFile: (file, text, how) =>
      (how === 'append' ? appendFile : writeFile)(inFolder(file), text, { mode: 0o600 }).catch((error) => {
        throw fileError(file, error);
      }),
    readBytes: (file, mostBytes) => readTransferredFile(inFolder(file), mostBytes).catch(failOnLocal(file)),
    writeBytes: (file, bytes, how) => writeTransferredFile(inFolder(file), bytes, how).catch(failOnLocal(file)),
    isThere: (file) => isFileThere(inFolder(file)),
    isFolder: async (file) =>
      stat(inFolder(file)).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    checkWritable: async (file) => {
      try {
        if (file.endsWith('/')) throw Object.assign(new Error(), { code: 'EISDIR' });
        await checkReceivingFile(inFolder(file));
        const isThere = await isFileThere(inFolder(file));
        await (await open(inFolder(file), 'a', 0o600)).close();
        if (!isThere) await rm(inFolder(file));
      } catch (error) {
        failOnLocal(file)(error);
      }
    },
    runProgram: (terminal, words, input) => runProgram(terminal, { words, input, cookie: cookie() }, caller),
    checkNamedFile: () => undefined,
    setPort: (terminal, name, text) => ports.set(terminal, name, text),
    tell: (text) => caller.error.write(text),
    userAndHost: `${caller.environment.USER || '(unknown)'} @ ${hostname()}`,
    textInto: (file, text) => {
      try {
        appendFileSync(inFolder(file), text, { mode: 0o600 });
      } catch (error) {
        throw fileError(file, error);
      }
      return appenderTo(inFolder(file));
    },
    traceInto: (written) => {
      const [, behind, file = ''] = /^(>>)?([\s\S]*)$/.exec(written) ?? [];
      if (file === '' || file === 'none') throw new ActionError('Must specify a trace file name');
      try {
        closeSync(openSync(inFolder(file), behind === undefined ? 'w' : 'a', 0o600));
      } catch (error) {
        throw fileError(file, error);
      }
      const append = appenderTo(inFolder(file));
      return new HostTrace({ write: (line) => append(`${line}\n`) }, mostTraceBytes);
    },
    temporaryFile: (name, kind) => {
      const start = join(tmpdir(), `${name}.${caller.processId}`);
      const end = kind === undefined ? '' : `.${kind}`;
      for (let count = 0; ; count++) {
        const file = `${start}${count === 0 ? '' : `-${count}`}${end}`;
        try {
          // other users can write to this folder: never use an existing name, which may be a link
          makePrivateFile(file);
          return file;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(file, error);
        }
      }
    },
  };
}

/** A full disk ends the trace but not the session. */
function appenderTo(file: string): (text: string) => void {
  let isBroken = false;
  return (text) => {
    if (isBroken) return;
    try {
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      isBroken = true;
    }
  };
}

function fileError(file: string, error: unknown): ActionError {
  if (error instanceof ActionError) return error;
  return new ActionError(`${file}: ${systemErrorWords(error)}`);
}

function failOnLocal(file: string): (error: unknown) => never {
  return (error) => {
    throw new ActionError(`Local file ${fileError(`'${file}'`, error).message}`);
  };
}

const MOST_OUTPUT_BYTES = 1 << 20;
const LOCAL_PORT = { host: '127.0.0.1', port: 0 };

interface Program {
  readonly words: readonly string[] | string;
  readonly input: string | undefined;
  readonly cookie: string | undefined;
}

/**
 * Starts a program that may send actions: on the descriptor in X3270INPUT and X3270OUTPUT, to the port in X3270PORT, or
 * over HTTP to X3270URL. Its output is kept up to a limit. The program is killed if one of its actions ends the script.
 */
async function runProgram(
  terminal: ScriptedTerminal,
  { words, input, cookie }: Program,
  { folder, environment }: S3270Caller,
): ReturnType<ScriptTools<ScriptedTerminal>['runProgram']> {
  const [program = '', ...parameters] = typeof words === 'string' ? ['/bin/sh', '-c', words] : words;
  if (program === '') return { lines: ['exec() failed'], failure: exitedWith(1) };
  if ([program, ...parameters].some((word) => word.includes('\0')))
    throw new ActionError('A word has a null character');
  const ports: OpenPort[] = [];
  const script = new Script(terminal, 'child');
  try {
    const lines = await openScriptPort(terminal, LOCAL_PORT, { cookie });
    ports.push(lines);
    const http = await openHttpPort(terminal, LOCAL_PORT, cookie);
    ports.push(http);
    const env = {
      ...environment,
      X3270INPUT: '3',
      X3270OUTPUT: '3',
      X3270PORT: String(lines.port),
      X3270URL: `http://127.0.0.1:${http.port}/3270/rest/`,
    };
    const child = spawn(program, parameters, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    const actions = child.stdio[3] as unknown as Duplex;
    answerLines(script, { input: actions, output: actions }).then((end) => end === 'action' && child.kill());
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    let output = '';
    const keep = (chunk: string) => {
      if (output.length < MOST_OUTPUT_BYTES) output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const failure = await new Promise<string | undefined>((resolve) => {
      child.once('error', () => {
        output += `exec(${program}) failed\n`;
        resolve(exitedWith(1));
      });
      child.once('exit', () => actions.end());
      child.once('close', (status, signal) => resolve(failureOf(status, signal)));
    });
    return { lines: output === '' ? [] : output.replace(/\n$/, '').split('\n'), failure };
  } finally {
    script.close();
    await Promise.all(ports.map(({ close }) => close()));
  }
}

function failureOf(status: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (signal !== null) return `Script killed by signal ${constants.signals[signal]}`;
  return status === 0 || status === null ? undefined : exitedWith(status);
}

function exitedWith(status: number): string {
  return `Script exited with status ${status}`;
}
