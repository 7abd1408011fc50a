import { formatDiagnostics, formatPlace, type SourceDiagnostic } from '../../lib/documents/source-diagnostic.js';

/** Diagnostics for a person: place, message, and the line with a caret where the source is at hand. */
export function printDiagnostics(
  diagnostics: readonly SourceDiagnostic[],
  source: string,
  output: NodeJS.WritableStream = process.stderr,
): void {
  if (diagnostics.length === 0) return;
  output.write(`${source === '' ? diagnostics.map(formatPlace).join('\n') : formatDiagnostics(diagnostics, source)}\n`);
}

/** `1 error`, `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
