import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a program answers to actions on its standard input, without times. */
export async function transcriptOf(
  [program = '', ...first]: readonly string[],
  words: readonly string[],
  actions: readonly string[],
): Promise<string> {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  delete environment.USER;
  const child = spawn(program, [...first, ...words], { stdio: ['pipe', 'pipe', 'inherit'], env: environment });
  child.stdin.end(actions.map((action) => `${action}\n`).join(''));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output.replaceAll(/^(.* 0x0) \d+\.\d{3}$/gm, '$1');
}
