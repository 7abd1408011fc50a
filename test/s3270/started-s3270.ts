import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { runS3270 } from '../../src/s3270/program/run-s3270.js';
import { nameOfProgram } from '../support/awaited.js';

interface StartContext {
  readonly folder?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** A program that runs: its streams, and `close` with its exit code when it has ended and all was read. */
export interface Started extends EventEmitter {
  /** Its name, for what is said of it. */
  readonly program: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Ends it at once. */
  abandon(): void;
}

/** Starts s3270, of either kind, with some words. */
export type StartS3270 = (words: readonly string[], context?: StartContext) => Started;

/** In a process of its own. */
export function programOf(command: readonly string[]): StartS3270 {
  const [program = '', ...first] = command;
  return (words, { folder, environment } = {}) => {
    const child = spawn(program, [...first, ...words], { cwd: folder, env: environment, stdio: 'pipe' });
    return Object.assign(child, { program: nameOfProgram(command), abandon: () => void child.kill('SIGKILL') });
  };
}

/** `sallyport s3270` in this process, as its daemon runs it for whoever calls: the start of a process costs more than what is compared. */
export const ownS3270: StartS3270 = (words, context) => new OwnS3270(words, context);

class OwnS3270 extends EventEmitter implements Started {
  readonly program = 'sallyport s3270';
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();

  constructor(words: readonly string[], { folder = process.cwd(), environment = process.env }: StartContext = {}) {
    super();
    void this.#run(words, folder, environment);
  }

  abandon(): void {
    this.stdin.end();
  }

  async #run(words: readonly string[], folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
    const { stdin: input, stdout: output, stderr: error } = this;
    const read = Promise.all([once(output, 'end'), once(error, 'end')]);
    const code = await runS3270({ words, folder, environment, processId: process.pid, input, output, error });
    output.end();
    error.end();
    await read;
    this.emit('close', code);
  }
}
