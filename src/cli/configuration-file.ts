import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installationFolder } from '../config/installation.js';
import type { LoadedConfiguration, LoadingOptions } from '../config/load-configuration.js';
import { SourceError } from '../lib/documents/source-diagnostic.js';
import { counted, printableText, printDiagnostics } from './output.js';

const CONFIGURATION_NAME = 'sallyport.yaml';

export function configurationFile(named: string | undefined): string {
  if (named !== undefined) return named;
  return existsSync(CONFIGURATION_NAME) ? CONFIGURATION_NAME : join(installationFolder, CONFIGURATION_NAME);
}

/** Reads pool passwords only on request: most commands cannot read secrets. @returns undefined after printing errors */
export async function usableConfiguration(
  file: string,
  { withPoolPasswords = false }: LoadingOptions = {},
): Promise<LoadedConfiguration | undefined> {
  const { loadConfiguration } = await import('../config/load-configuration.js');
  try {
    return await loadConfiguration(file, { withPoolPasswords });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    printDiagnostics(error.diagnostics, error.source);
    process.stderr.write(`${printableText(file)}: ${counted(error.diagnostics.length, 'error')}\n`);
    return undefined;
  }
}
