import { formatDiagnostics, formatPlace, type SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import { ServiceError } from '../lib/errors.js';

const NARROWEST_COLUMN = 8;

/** @param width of the terminal: the widest columns are truncated to fit; undefined for no limit */
export function tableOf(rows: readonly (readonly string[])[], width?: number): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  const total = () => widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));
  while (width !== undefined && total() > width && Math.max(...widths) > NARROWEST_COLUMN) {
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  }
  return rows
    .map((row) => row.map((cell, at) => shortened(cell, widths[at] ?? 0).padEnd(widths[at] ?? 0)))
    .map((cells) => `${cells.join('  ').trimEnd()}\n`)
    .join('');
}

export function inOneLine(text: string): string {
  return printableText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

export function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the quota of the disk is used up: free some space',
  EROFS: 'the file system is read-only: mount it for writing',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENOENT: 'it does not exist',
};

/** Describes a disk error. The message of the system follows, because it usually names the file. */
export function diskWords(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'SVC_ERR_AUDIT_UNAVAILABLE')
    return `the audit trail cannot be written, so nothing was changed: ${diskWords(error.cause)}`;
  if (error instanceof ServiceError && error.detail !== undefined) return error.detail;
  const { code, message } = error as NodeJS.ErrnoException;
  const meaning = code === undefined ? undefined : meanings[code];
  return meaning === undefined ? String(message) : `${meaning} (${message})`;
}

/** Escapes control and direction characters in external text, so that terminals do not execute them. */
export function printableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** @returns number of errors */
export function printDiagnostics(diagnostics: readonly SourceDiagnostic[], source: string): number {
  const text = source === '' ? diagnostics.map(formatPlace).join('\n') : formatDiagnostics(diagnostics, source);
  if (diagnostics.length > 0) process.stderr.write(`${text}\n`);
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
