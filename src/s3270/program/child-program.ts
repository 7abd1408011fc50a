import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { ActionError } from '../action-error.js';
import { Script } from '../script.js';
import type { ScriptTools } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { openHttpPort } from './http-port.js';
import type { S3270Caller } from './s3270-caller.js';
import { answerLines, type OpenPort, openScriptPort } from './script-port.js';

const MOST_OUTPUT_BYTES = 1 << 20;
/** Ports of a program are for this machine alone, and any that is free. */
const LOCAL_PORT = { host: '127.0.0.1', port: 0 };

interface Program {
  /** The program and its arguments, or one command for the shell. */
  readonly words: readonly string[] | string;
  readonly input: string | undefined;
  readonly cookie: string | undefined;
}

/**
 * Starts a program that may send actions: on the descriptor that X3270INPUT and X3270OUTPUT name, to the port that X3270PORT names,
 * or by HTTP below X3270URL. What it writes is kept up to a bound. An action of its own that ends the script ends it.
 */
export async function runProgram(
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
