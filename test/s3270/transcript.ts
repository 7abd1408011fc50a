import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { awaited, nameOfProgram } from '../support/awaited.js';

/** What a program answers to actions on its standard input, without times. */
export async function transcriptOf(
  command: readonly string[],
  words: readonly string[],
  actions: readonly string[],
): Promise<string> {
  const [program = '', ...first] = command;
  const environment: NodeJS.ProcessEnv = { ...process.env };
  delete environment.USER;
  const child = spawn(program, [...first, ...words], { stdio: ['pipe', 'pipe', 'inherit'], env: environment });
  child.stdin.end(actions.map((action) => `${action}\n`).join(''));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await awaited(nameOfProgram(command), `the answers to ${actions.join(' ')}`, once(child, 'close'), () =>
    child.kill('SIGKILL'),
  );
  return output.replaceAll(/^(.* 0x0) \d+\.\d{3}$/gm, '$1');
}
