import type { DocumentFault } from './document-fault.js';
import type { SourceDiagnostic } from './source-diagnostic.js';
import type { YamlSource } from './yaml-source.js';

/** Maximum number of diagnostics reported per source. */
const MOST_DIAGNOSTICS = 100;

/** Faults with the places in the file that they belong to. */
export function diagnosticsOf(faults: readonly DocumentFault[], yaml: YamlSource, file: string): SourceDiagnostic[] {
  return faults.map(({ path, at, message, severity }) => {
    const prefix = path.length === 0 ? '' : `${path.join('.')}: `;
    return { file, ...yaml.place(path, at), message: `${prefix}${message}`, severity };
  });
}

/** By line and column; beyond the maximum, only their number. */
export function inOrder(diagnostics: readonly SourceDiagnostic[], file: string): SourceDiagnostic[] {
  const sorted = [...diagnostics].sort((one, other) => one.line - other.line || one.column - other.column);
  const shown = sorted.slice(0, MOST_DIAGNOSTICS);
  const last = shown.at(-1);
  if (sorted.length <= MOST_DIAGNOSTICS || !last) return shown;
  const message = `and ${sorted.length - MOST_DIAGNOSTICS} more`;
  return [...shown, { file, line: last.line, column: last.column, message, severity: last.severity }];
}
