import type { DocumentFault } from '../lib/documents/document-fault.js';
import { faultsOf } from '../lib/documents/schema-faults.js';
import { configuration } from './schema-validators.js';

/**
 * Checks a document against sallyport.schema.json (JSON Schema 2020-12) and puts the schema's defaults into it.
 *
 * @returns every fault, in no particular order
 */
export function checkAgainstSchema(document: unknown): DocumentFault[] {
  return configuration(document) ? [] : faultsOf(configuration.errors ?? []);
}
