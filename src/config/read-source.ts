import { open } from 'node:fs/promises';
import { type DocumentFault, type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import type { YamlSource } from '../lib/documents/yaml-source.js';

const MOST_DIAGNOSTICS = 100;

/** Why a file cannot be read, by the code of the error. */
export const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'no permission to read it',
};

export function diagnosticsOf(faults: readonly DocumentFault[], yaml: YamlSource, file: string): SourceDiagnostic[] {
  return faults.map(({ path, at, message, severity }) => {
    const prefix = path.length === 0 ? '' : `${path.join('.')}: `;
    return { file, ...yaml.place(path, at), message: `${prefix}${message}`, severity };
  });
}

/** Sorted by line and column. Diagnostics above the maximum are only counted. */
export function inOrder(diagnostics: readonly SourceDiagnostic[], file: string): SourceDiagnostic[] {
  const sorted = [...diagnostics].sort((one, other) => one.line - other.line || one.column - other.column);
  const shown = sorted.slice(0, MOST_DIAGNOSTICS);
  const last = shown.at(-1);
  if (sorted.length <= MOST_DIAGNOSTICS || !last) return shown;
  const message = `and ${sorted.length - MOST_DIAGNOSTICS} more`;
  return [...shown, { file, line: last.line, column: last.column, message, severity: last.severity }];
}

/**
 * @param what the file's name in messages, for example `the configuration`
 * @throws SourceError if the file cannot be read, is larger than `most` bytes or is not UTF-8
 */
export async function readSource(file: string, most: number, what: string): Promise<string> {
  const bytes = await readBytes(file, most, what);
  if (bytes.length > most) {
    throw wholeFile(file, `expected at most ${most} bytes, found a larger file`);
  }
  const text = new TextDecoder('utf-8').decode(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = text.slice(0, text.indexOf('\ufffd')).split('\n');
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw new SourceError([{ file, ...place, message: 'expected UTF-8, found other bytes', severity: 'error' }], text);
  }
  return text;
}

async function readBytes(file: string, most: number, what: string): Promise<Uint8Array> {
  try {
    return await readAtMost(file, most);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw wholeFile(file, `${what} cannot be read: ${unreadable[code] ?? message}`);
  }
}

function wholeFile(file: string, message: string): SourceError {
  return new SourceError([{ file, line: 1, column: 1, message, severity: 'error' }], '');
}

/** Reads at most `most` + 1 bytes; the extra byte shows that the file is too large. */
export async function readAtMost(file: string, most: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } finally {
    await handle.close();
  }
}
