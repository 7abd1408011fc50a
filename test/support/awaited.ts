import { setTimeout as wait } from 'node:timers/promises';
import { commandScript } from './project.js';

/** Below mocha's own limit, whose message does not name the program or the missing result. */
const LONGEST_WAIT_MILLISECONDS = 90_000;

export function nameOfProgram([program = '', script = '', command = '']: readonly string[]): string {
  return script === commandScript ? `sallyport ${command}` : program;
}

/**
 * @param abandon stops a pending wait
 * @throws Error that names the program and the missing result
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
