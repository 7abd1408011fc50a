import { once } from 'node:events';
import { awaited } from '../support/awaited.js';
import type { StartS3270 } from './started-s3270.js';

/** What a program says on its way, and how it ends. */
export interface Said {
  readonly output: string;
  readonly error: string;
  readonly code: number;
}

/** What a program says of a command line and of actions on its standard input, without times. */
export async function saidBy(
  start: StartS3270,
  words: readonly string[],
  actions: string,
  folder: string,
): Promise<Said> {
  const child = start(words, { folder });
  const said = { output: '', error: '' };
  for (const [name, stream] of [
    ['output', child.stdout],
    ['error', child.stderr],
  ] as const) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  child.stdin.on('error', () => undefined);
  child.stdin.end(actions);
  const what = `its end after ${words.join(' ')} and ${actions.trimEnd()}`;
  const [code] = await awaited(child.program, what, once(child, 'close'), () => child.abandon());
  return { output: said.output.replaceAll(/ \d+\.\d{3}$/gm, ''), error: said.error, code };
}
