import { type ChildProcess, spawn } from 'node:child_process';
import { commandScript } from '../support/project.js';

const main = commandScript;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class SallyportProcess {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  stdout = '';
  stderr = '';

  /** @param script of another version; not given: of this one */
  constructor(args: readonly string[], folder?: string, nodeOptions: readonly string[] = [], script = main) {
    this.child = spawn(process.execPath, [...nodeOptions, script, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.finished = new Promise((resolve) => {
      this.child.on('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  /** What the pattern finds on standard output, as soon as it is there. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found) return found;
      const more = new Promise<boolean>((resolve) => {
        this.child.stdout?.once('data', () => resolve(true));
        this.child.once('close', () => resolve(false));
      });
      if (!(await more)) throw new Error(`ended before it printed ${pattern}: ${this.stdout}${this.stderr}`);
    }
  }
}

/** Runs `sallyport` to its end. */
export function sallyport(args: readonly string[], folder?: string): Promise<Finished> {
  return new SallyportProcess(args, folder).finished;
}
