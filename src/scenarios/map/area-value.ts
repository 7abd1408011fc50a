import { areaText, isReference, referredData } from './area-text.js';
import type { AreaContent, AreaDefinition, AreaSource } from './definition.js';
import type { MappingPort } from './mapping-port.js';
import { numericFault, plainDecimal } from './numeric-text.js';

/** What comes out of the document; constants and variables are the scenario's own text. */
const documentSources: ReadonlySet<AreaSource['from']> = new Set(['element', 'attribute', 'lastFoundElementName']);
/** What base64 carries is no text of the document. */
const decodedContents: ReadonlySet<AreaContent> = new Set(['BASE64', 'OFFSET-LENGTH-BINARY']);

/** A value as it goes into the record, or for a reference the data that go behind the record. */
export function areaValue(area: AreaDefinition, value: string | undefined, port: MappingPort): string {
  const { content, source, length } = area;
  const plain = value === undefined || source.from === 'constant' ? value : plainDecimal(content, value);
  const fault = plain === undefined || source.from === 'constant' ? undefined : numericFault(area, plain);
  if (fault !== undefined) port.numericFault({ name: nameOf(source), length }, fault);
  const text = isReference(content) ? referredData(content, value) : areaText(area, plain);
  return documentSources.has(source.from) && !decodedContents.has(content) ? port.storable(text) : text;
}

function nameOf(source: AreaSource): string {
  switch (source.from) {
    case 'element':
      return source.path?.text ?? '(the element of the group)';
    case 'attribute':
      return source.path === undefined ? source.attribute : `${source.path.text}/@${source.attribute}`;
    case 'variable':
      return source.variable;
    default:
      return source.from;
  }
}
