import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installationFolder } from '../config/installation.js';

const CONFIGURATION_NAME = 'sallyport.yaml';

/** The configuration that is meant where none is named: ./sallyport.yaml, or else the one that is shipped. */
export function configurationFile(named: string | undefined): string {
  if (named !== undefined) return named;
  return existsSync(CONFIGURATION_NAME) ? CONFIGURATION_NAME : join(installationFolder, CONFIGURATION_NAME);
}
