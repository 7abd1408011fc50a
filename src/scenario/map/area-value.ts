import { areaText, isReference, referredData } from './area-text.js';
import type { AreaContent, AreaDefinition, AreaSource } from './definition.js';
import type { MappingPort } from './mapping-port.js';

/** What comes out of the document; constants and variables are the scenario's own text. */
const documentSources: ReadonlySet<AreaSource['from']> = new Set(['element', 'attribute', 'lastFoundElementName']);
/** What base64 carries is no text of the document. */
const decodedContents: ReadonlySet<AreaContent> = new Set(['BASE64', 'OFFSET-LENGTH-BINARY']);

/** A value as it goes into the record, or for a reference the data that go behind the record. */
export function areaValue(area: AreaDefinition, value: string | undefined, port: MappingPort): string {
  const { content, source } = area;
  const text = isReference(content) ? referredData(content, value) : areaText(area, value);
  return documentSources.has(source.from) && !decodedContents.has(content) ? port.storable(text) : text;
}
