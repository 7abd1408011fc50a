/** Fault in a configuration, template or scenario. Lines and columns start at 1. Columns count UTF-16 units. */
export interface SourceDiagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export class SourceError extends Error {
  override readonly name = 'SourceError';

  constructor(
    readonly diagnostics: readonly SourceDiagnostic[],
    readonly source: string,
  ) {
    super(diagnostics.map((diagnostic) => formatPlace(diagnostic)).join('\n'));
  }
}

const LONGEST_SHOWN_LINE = 120;

/** Format per diagnostic: `file:line:column: error: message`, the source line, and a caret below the column. */
export function formatDiagnostics(diagnostics: readonly SourceDiagnostic[], source: string): string {
  const lines = source.split(/\r\n|\r|\n/);
  return diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, lines)).join('\n');
}

function formatDiagnostic(diagnostic: SourceDiagnostic, lines: readonly string[]): string {
  const text = lines[diagnostic.line - 1];
  if (text === undefined) return formatPlace(diagnostic);
  const start = Math.max(0, diagnostic.column - 1 - LONGEST_SHOWN_LINE / 2);
  const shown = printable(text.slice(start, start + LONGEST_SHOWN_LINE));
  const caret = `${' '.repeat(Math.min(diagnostic.column - 1 - start, shown.length))}^`;
  return `${formatPlace(diagnostic)}\n  ${shown}\n  ${caret}`;
}

export function formatPlace({ file, line, column, message, severity }: SourceDiagnostic): string {
  return `${file}:${line}:${column}: ${severity}: ${printable(message)}`;
}

/** Keeps the number of columns and replaces characters that a terminal would interpret. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
  return text.replace(/\t/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** For example `['lines', 'C-HTTP', 'listen']`. */
export type KeyPath = readonly string[];

export interface DocumentFault {
  readonly path: KeyPath;
  readonly at: 'key' | 'value';
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export function errorAt(path: KeyPath, message: string): DocumentFault {
  return { path, at: 'value', message, severity: 'error' };
}

export function warningAt(path: KeyPath, message: string): DocumentFault {
  return { path, at: 'key', message, severity: 'warning' };
}
