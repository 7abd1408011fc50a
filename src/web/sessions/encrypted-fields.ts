import { addressOfField } from '../../sessions/field-address.js';
import type { TemplateUses } from '../../templates/compiled-template.js';

/**
 * Addresses of the fields that a page declares ENCRYPTED (specification 2.5): they travel as passwords do, also where they are
 * displayed, and under whatever name of theirs.
 * @param names that the page has given to fields of the host
 */
export function encryptedFields(uses: TemplateUses | undefined, names: ReadonlyMap<string, number>): Set<number> {
  const addresses = new Set<number>();
  for (const { field, attributes } of uses?.declaredFields ?? []) {
    const address = names.get(field) ?? addressOfField(field);
    if (attributes.includes('ENCRYPTED') && address !== undefined) addresses.add(address);
  }
  return addresses;
}
