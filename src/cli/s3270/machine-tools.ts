import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HostTrace } from '../../host/host-trace.js';
import { ActionError } from '../../s3270/action-error.js';
import { Script } from '../../s3270/script.js';
import type { ScriptedTerminal, ScriptTools } from '../../s3270/scripted-terminal.js';
import { isFileThere, readTransferredFile, writeTransferredFile } from '../transfer/transferred-file.js';
import type { S3270Caller } from './s3270-caller.js';
import { answerLines, openScriptPort } from './script-port.js';

const MOST_FILE_BYTES = 1 << 20;
const MOST_OUTPUT_BYTES = 1 << 20;
const LOCAL = '127.0.0.1';

/** The files and programs of this machine, with the rights of whoever started the terminal. */
export function machineTools(mostTraceBytes: number | undefined, caller: S3270Caller): ScriptTools {
  const inFolder = (file: string) => resolve(caller.folder, file);
  return {
    readLines: async (file) => {
      try {
        if ((await stat(inFolder(file))).size > MOST_FILE_BYTES)
          throw new ActionError(`${file}: more than ${MOST_FILE_BYTES} bytes`);
        return (await readFile(inFolder(file), 'utf8')).split(/\r?\n/);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw new ActionError(`Source(${file}) read error`);
        throw fileError(file, error);
      }
    },
    writeFile: async (file, text, how) => {
      try {
        await (how === 'append' ? appendFile : writeFile)(inFolder(file), text, { mode: 0o600 });
      } catch (error) {
        throw fileError(file, error);
      }
    },
    readBytes: async (file, mostBytes) => {
      try {
        return await readTransferredFile(inFolder(file), mostBytes);
      } catch (error) {
        throw new ActionError(`Local file ${fileError(`'${file}'`, error).message}`);
      }
    },
    writeBytes: async (file, bytes, how) => {
      try {
        await writeTransferredFile(inFolder(file), bytes, how);
      } catch (error) {
        throw new ActionError(`Local file ${fileError(`'${file}'`, error).message}`);
      }
    },
    isThere: (file) => isFileThere(inFolder(file)),
    runProgram: (terminal, words, input) => runProgram(terminal, words, input, caller),
    userAndHost: `${caller.environment.USER || '(unknown)'} @ ${hostname()}`,
    textInto: (file, text) => {
      try {
        appendFileSync(inFolder(file), text, { mode: 0o600 });
      } catch (error) {
        throw fileError(file, error);
      }
      return appenderTo(inFolder(file));
    },
    traceInto: (file) => {
      try {
        closeSync(openSync(inFolder(file), 'a', 0o600));
      } catch (error) {
        throw fileError(file, error);
      }
      const append = appenderTo(inFolder(file));
      return new HostTrace({ write: (line) => append(`${line}\n`) }, mostTraceBytes);
    },
    temporaryFile: (name, kind) => join(tmpdir(), `${name}.${caller.processId}${kind === undefined ? '' : `.${kind}`}`),
  };
}

/** A full disk ends the trace, and not the session. */
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

const words: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
};

function fileError(file: string, error: unknown): ActionError {
  if (error instanceof ActionError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new ActionError(`${file}: ${words[code] ?? message}`);
}

/**
 * Starts a program that may send actions, on the descriptor that X3270INPUT and X3270OUTPUT name, or to the port that X3270PORT
 * names. What it writes is kept up to a bound.
 */
async function runProgram(
  terminal: ScriptedTerminal,
  command: readonly string[] | string,
  input: string | undefined,
  { folder, environment }: S3270Caller,
): ReturnType<ScriptTools['runProgram']> {
  const { port, close } = await openScriptPort(terminal, { host: LOCAL, port: 0 });
  const script = new Script(terminal, 'child');
  try {
    const [program = '', ...parameters] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
    const env = {
      ...environment,
      X3270INPUT: '3',
      X3270OUTPUT: '3',
      X3270PORT: String(port),
    };
    const child = spawn(program, parameters, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    const actions = child.stdio[3] as unknown as NodeJS.ReadWriteStream;
    answerLines(script, { input: actions as never, output: actions as never }).catch(() => undefined);
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    let output = '';
    const keep = (chunk: string) => {
      if (output.length < MOST_OUTPUT_BYTES) output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const status = await new Promise<number>((resolve) => {
      child.once('error', () => {
        output += `exec(${program}) failed\n`;
        resolve(1);
      });
      child.once('exit', () => (actions as unknown as { end(): void }).end());
      child.once('close', (code) => resolve(code ?? 1));
    });
    return { lines: output === '' ? [] : output.replace(/\n$/, '').split('\n'), status };
  } finally {
    script.close();
    close();
  }
}
