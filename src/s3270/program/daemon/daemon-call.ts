import type { S3270Caller } from '../s3270-caller.js';

/** What a caller begins with: one line of JSON. */
export type DaemonCall = Pick<S3270Caller, 'words' | 'folder' | 'environment' | 'processId'>;

/** Bytes of that line: some command lines and environments that Linux takes are longer. */
export const LONGEST_CALL = 1_048_576;

/** Undefined: it is too long. */
export function encodeCall({ words, folder, environment, processId }: DaemonCall): string | undefined {
  const line = JSON.stringify({ words, folder, environment, processId });
  return Buffer.byteLength(line) > LONGEST_CALL ? undefined : `${line}\n`;
}

/** @param line without its end. @returns undefined where it is no call */
export function readCall(line: string): DaemonCall | undefined {
  try {
    const { words, folder, environment, processId } = Object(JSON.parse(line));
    const isCall =
      Array.isArray(words) &&
      words.every((word) => typeof word === 'string') &&
      typeof folder === 'string' &&
      Object.values(environment).every((value) => typeof value === 'string') &&
      Number.isSafeInteger(processId);
    return isCall ? { words, folder, environment, processId } : undefined;
  } catch {
    return undefined;
  }
}
