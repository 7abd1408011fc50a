import type { LoadedConfiguration } from '../../config/load-configuration.js';
import { SourceError } from '../../source-diagnostic.js';
import { counted, printDiagnostics } from '../check/print-diagnostics.js';
import { printableText } from '../printable-text.js';

/** Undefined where the configuration has errors, which are printed. */
export async function usableConfiguration(file: string): Promise<LoadedConfiguration | undefined> {
  const { loadConfiguration } = await import('../../config/load-configuration.js');
  try {
    return await loadConfiguration(file);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    printDiagnostics(error.diagnostics, error.source);
    process.stderr.write(`${printableText(file)}: ${counted(error.diagnostics.length, 'error')}\n`);
    return undefined;
  }
}
