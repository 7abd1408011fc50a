import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DocumentFault } from '../document/document-fault.js';
import { faultsOf, schemaOptions } from '../document/schema-faults.js';
import { installationFolder } from './installation.js';

let compiled: ValidateFunction | undefined;

/**
 * Checks a document against sallyport.schema.json (JSON Schema 2020-12) and puts the schema's defaults into it.
 *
 * @returns every fault, in no particular order
 */
export function checkAgainstSchema(document: unknown): DocumentFault[] {
  compiled ??= new Ajv2020(schemaOptions).compile(
    JSON.parse(readFileSync(join(installationFolder, 'sallyport.schema.json'), 'utf8')),
  );
  return compiled(document) ? [] : faultsOf(compiled.errors ?? []);
}
