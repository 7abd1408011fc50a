import type { Readable, Writable } from 'node:stream';

/** Who has started s3270: the process that it runs in, or another one through the daemon. */
export interface S3270Caller {
  /** The command line, without the command. */
  readonly words: readonly string[];
  /** In which relative names of files are found. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly processId: number;
  readonly input: Readable;
  readonly output: Writable;
  readonly error: Writable;
  /** The caller has ended. */
  readonly gone?: AbortSignal;
}

/** The process that this runs in. */
export function ownCaller(words: readonly string[]): S3270Caller {
  const { stdin: input, stdout: output, stderr: error, env: environment, pid: processId } = process;
  return { words, folder: process.cwd(), environment, processId, input, output, error };
}
