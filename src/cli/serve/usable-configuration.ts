import type { LoadedConfiguration, LoadingOptions } from '../../config/load-configuration.js';
import { SourceError } from '../../lib/documents/source-diagnostic.js';
import { counted, printDiagnostics } from '../check/print-diagnostics.js';
import { printableText } from '../printable-text.js';

/**
 * Passwords of pools are read only where that is said: most commands run beside the server, whose secrets they do not have.
 * @returns undefined where the configuration has errors, which are printed
 */
export async function usableConfiguration(
  file: string,
  { withPoolPasswords = false }: LoadingOptions = {},
): Promise<LoadedConfiguration | undefined> {
  const { loadConfiguration } = await import('../../config/load-configuration.js');
  try {
    return await loadConfiguration(file, { withPoolPasswords });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    printDiagnostics(error.diagnostics, error.source);
    process.stderr.write(`${printableText(file)}: ${counted(error.diagnostics.length, 'error')}\n`);
    return undefined;
  }
}
