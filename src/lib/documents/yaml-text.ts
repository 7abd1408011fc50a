import { Document } from 'yaml';

/** Plain values as YAML, in lines of their own that are never folded. */
export function yamlText(value: unknown): string {
  return new Document(value, { aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
}
