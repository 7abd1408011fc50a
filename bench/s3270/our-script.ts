import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandScript } from '../../test/support/project.js';

export class OurScript {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: ((answer: { readonly data: readonly string[] }) => void)[] = [];
  #data: string[] = [];

  constructor(model: string, further: readonly string[]) {
    this.#process = spawn(process.execPath, [
      commandScript,
      's3270',
      '-model',
      model,
      '-codepage',
      'cp037',
      ...further,
    ]);
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      if (line.startsWith('data: ')) this.#data.push(line.slice('data: '.length));
      if (line !== 'ok' && line !== 'error') return;
      this.#waiting.shift()?.({ data: this.#data });
      this.#data = [];
    });
  }

  ask(action: string): Promise<{ readonly data: readonly string[] }> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin.write(`${action}\n`);
    });
  }

  stop(): void {
    this.#process.kill();
  }
}
