import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { commandScript } from '../support/project.js';
import type { Finished } from './sallyport-process.js';

export const main = commandScript;

export interface Surroundings {
  readonly folder: string;
  /** What standard input holds; it ends after it. */
  readonly input?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs a program to its end. */
export function run(program: string, args: readonly string[], surroundings: Surroundings): Promise<Finished> {
  const { SALLYPORT_PASSWORD: _, ...environment } = process.env;
  const child = spawn(program, args, {
    cwd: surroundings.folder,
    env: { ...environment, ...surroundings.environment },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {});
  child.stdin.end(surroundings.input ?? '');
  return finished(child);
}

/** Runs `sallyport macros` to its end. */
export function macros(args: readonly string[], surroundings: Surroundings): Promise<Finished> {
  return run(process.execPath, [main, 'macros', ...args], surroundings);
}

function finished(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...output })));
}

/** Runs a shell command on a terminal of its own, and types an answer as soon as its question is there. */
export function runOnTerminal(
  command: string,
  folder: string,
  dialogue: readonly (readonly [question: string, answer: string])[],
): Promise<Finished> {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, stdio: 'pipe' });
  const left = [...dialogue];
  let unanswered = '';
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer | string) => {
    unanswered += chunk.toString();
    const [question, answer] = left[0] ?? [];
    if (question === undefined || answer === undefined || !unanswered.includes(question)) return;
    unanswered = '';
    left.shift();
    child.stdin.write(answer);
  });
  return finished(child);
}

/** What anyone at this machine could read meanwhile: the arguments of every process, as often as can be. */
export async function watchCommandLines<T>(running: Promise<T>): Promise<{ result: T; seen: ReadonlySet<string> }> {
  const seen = new Set<string>();
  const timer = setInterval(() => {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        seen.add(readFileSync(`/proc/${name}/cmdline`, 'utf8'));
      } catch {
        // it has ended
      }
    }
  }, 3);
  const result = await running.finally(() => clearInterval(timer));
  return { result, seen };
}
