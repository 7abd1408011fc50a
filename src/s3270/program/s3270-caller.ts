import type { Readable, Writable } from 'node:stream';

/** The process that started s3270: this one, or a client of the daemon. */
export interface S3270Caller {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly processId: number;
  readonly input: Readable;
  readonly output: Writable;
  readonly error: Writable;
  readonly gone?: AbortSignal;
}

export function ownCaller(words: readonly string[]): S3270Caller {
  const { stdin: input, stdout: output, stderr: error, env: environment, pid: processId } = process;
  return { words, folder: process.cwd(), environment, processId, input, output, error };
}
