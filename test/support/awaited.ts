import { setTimeout as wait } from 'node:timers/promises';
import { commandScript } from './project.js';

/** Below mocha's own limit, whose message names neither the program nor what it owes. */
const LONGEST_WAIT_MILLISECONDS = 90_000;

/** A program by the words that start it. */
export function nameOfProgram([program = '', script = '', command = '']: readonly string[]): string {
  return script === commandScript ? `sallyport ${command}` : program;
}

/**
 * Waits for something that another program does.
 * @param abandon ends what would go on waiting
 * @throws Error that names the program and what it has not done
 */
export async function awaited<Found>(
  program: string,
  what: string,
  found: Promise<Found>,
  abandon: () => unknown = () => undefined,
  milliseconds = LONGEST_WAIT_MILLISECONDS,
): Promise<Found> {
  const over = new AbortController();
  const late = wait(milliseconds, undefined, { signal: over.signal }).then(() => {
    abandon();
    throw new Error(`${program} did not come to this within ${milliseconds / 1_000} seconds: ${what}`);
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}
