import { createHash } from 'node:crypto';
import { constants, open, realpath } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import { messageOf } from '../lib/text/messages.js';
import { inTurns } from '../lib/turns/work-in-turns.js';
import { type CompileOptions, compilation, compileTemplate } from './compile.js';
import type { FoundFile } from './compiled-template.js';
import { inlineScriptsOf } from './inline-scripts.js';
import { scriptsAsRead } from './page-encoding.js';
import { templateLimits } from './template-limits.js';

interface FileContent {
  readonly bytes: Buffer;
  readonly fingerprint: string;
  readonly lastModified: Date;
  /** The file changed during the read. */
  readonly isUnsettled: boolean;
}

/** Thrown for anything but a regular file, and for a link to a file outside the directory. */
export class UnservableFileError extends Error {
  override readonly name = 'UnservableFileError';
}

interface Times {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export function fingerprintOf({ ino, size, mtimeNs, ctimeNs }: Times): string {
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/**
 * Reads a whole file. Follows symbolic links within `within` (a real path).
 * @throws UnservableFileError if it is not a regular file or is outside `within`; Error if it cannot be read or exceeds
 * 4 MiB
 */
export async function readTemplateFile(path: string, within?: string): Promise<FileContent> {
  const real = await realpath(path);
  if (within !== undefined && !real.startsWith(within.endsWith(sep) ? within : within + sep)) {
    throw new UnservableFileError('leads out of its directory');
  }
  // opening a named pipe must not block
  const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw new UnservableFileError('is not a regular file');
    // one byte more than its size, to detect that the file has grown
    const buffer = Buffer.allocUnsafe(Math.min(Number(before.size), templateLimits.fileBytes) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > templateLimits.fileBytes || before.size > templateLimits.fileBytes) {
      throw new Error(`is longer than ${templateLimits.fileBytes} bytes`);
    }
    const after = await handle.stat({ bigint: true });
    const fingerprint = fingerprintOf(before);
    return {
      bytes: buffer.subarray(0, length),
      fingerprint,
      lastModified: new Date(Number(before.mtimeMs)),
      isUnsettled: fingerprintOf(after) !== fingerprint || BigInt(length) !== before.size,
    };
  } finally {
    await handle.close();
  }
}

/** A file that is not valid UTF-8 is decoded as ISO-8859-1, which accepts every byte. A byte order mark is removed. */
export function decodeTemplate(bytes: Buffer): { text: string; charset: 'UTF-8' | 'ISO-8859-1' } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), charset: 'UTF-8' };
  } catch {
    return { text: bytes.toString('latin1'), charset: 'ISO-8859-1' };
  }
}

export async function templateEntry(
  path: string,
  { bytes, lastModified }: FileContent,
  options: Pick<CompileOptions, 'defaultOptions'> = {},
): Promise<FoundFile> {
  const { text, charset } = decodeTemplate(bytes);
  const template = await inTurns(compilation(text, { ...options, file: basename(path), sourceCharset: charset }));
  if (!template.isStatic) return { kind: 'template', template };
  const { contentType, warnings } = template;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const inlineScripts = scriptsAsRead(inlineScriptsOf(text, contentType), charset);
  return { kind: 'static', body: bytes, contentType, etag, lastModified, inlineScripts, warnings };
}

interface CheckedTemplate {
  readonly diagnostics: SourceDiagnostic[];
  readonly source: string;
  /** Each recognized tag as `FIELD : TAG (params)` in the order of the file; `-` if a tag has no string. */
  readonly tags: string[];
}

/**
 * Compiles a template file as the server does (reference 2.0, upload check).
 * @throws Error with a message for the user if it cannot be read
 */
export async function checkTemplate(file: string): Promise<CheckedTemplate> {
  const { text: source, charset } = await read(file);
  try {
    const { tags, warnings } = compileTemplate(source, { file, sourceCharset: charset });
    return { diagnostics: [...warnings], source, tags: [...tags] };
  } catch (error) {
    if (error instanceof SourceError) return { diagnostics: [...error.diagnostics], source, tags: [] };
    throw error;
  }
}

async function read(file: string): Promise<ReturnType<typeof decodeTemplate>> {
  try {
    return decodeTemplate((await readTemplateFile(file)).bytes);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}
