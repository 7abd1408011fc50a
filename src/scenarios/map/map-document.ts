import { codePointCount, withoutTrailingBlanks } from '../../lib/text/characters.js';
import { areaText, isReference, numericFault, plainDecimal, referredData } from './area-text.js';
import type { AreaContent, AreaDefinition, AreaSource, GroupDefinition, Structure } from './definition.js';
import { DocumentWalk, type DocumentWalkSink } from './document-walk.js';
import type { ElementNode } from './element-tree.js';
import { FieldVariables, type Mapping, MappingBudget, type MappingPort } from './mapping.js';

/**
 * MAP$ FROM-…: maps a document to the record of a structure. An unreadable document (undefined) is mapped as an empty
 * one. Source: spec 2.4, reference/4.3.
 * @throws MappingLimitError
 */
export function* mapToRecord(structure: Structure, document: ElementNode | undefined, port: MappingPort): Mapping {
  const budget = new MappingBudget();
  const record = new RecordBuilder(budget);
  const sink = new RecordSink(record, port, budget);
  const abended = yield* new DocumentWalk(structure, document, port, sink, budget).run();
  return abended === undefined ? { kind: 'mapped', record: record.finish() } : { kind: 'abended', at: abended };
}

class RecordSink implements DocumentWalkSink {
  readonly #record: RecordBuilder;
  readonly #port: MappingPort;
  readonly #budget: MappingBudget;

  constructor(record: RecordBuilder, port: MappingPort, budget: MappingBudget) {
    this.#record = record;
    this.#port = port;
    this.#budget = budget;
  }

  area(area: AreaDefinition, value: string | undefined): void {
    const text = areaValue(area, value, this.#port);
    if (area.inRecord) this.#append(area, text);
    if (area.target === undefined) return;
    const { variable, mode } = area.target;
    const kept = withoutTrailingBlanks(text);
    this.#budget.spend('variableCharacters', kept.length);
    this.#port[mode](variable, kept);
  }

  constant(text: string): void {
    this.#record.append(text);
  }

  missingOccurrences({ fill }: GroupDefinition, count: number): void {
    this.#record.appendFills(fill, count);
  }

  #append({ content, length }: AreaDefinition, text: string): void {
    if (isReference(content) && length !== undefined) this.#record.appendReference(length, text);
    else this.#record.append(text);
  }
}

const documentSources: ReadonlySet<AreaSource['from']> = new Set(['element', 'attribute', 'lastFoundElementName']);
/** The data in base64 may be binary, so characters are not substituted. */
const decodedContents: ReadonlySet<AreaContent> = new Set(['BASE64', 'OFFSET-LENGTH-BINARY']);

function areaValue(area: AreaDefinition, value: string | undefined, port: MappingPort): string {
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

/**
 * Builds a record: areas in order, then the data of its OFFSET-LENGTH areas.
 *
 * An OFFSET-LENGTH area of n characters holds two decimal numbers of n/2 digits: the offset of the data from the start
 * of the record (from 0), and their length in characters. Both are zero if there are no data.
 */
class RecordBuilder {
  readonly #budget: MappingBudget;
  readonly #parts: string[] = [];
  readonly #references: { readonly part: number; readonly digits: number; readonly data: string }[] = [];
  #length = 0;

  constructor(budget: MappingBudget) {
    this.#budget = budget;
  }

  append(text: string): void {
    this.#spend(codePointCount(text));
    this.#parts.push(text);
  }

  appendFills(fill: string, count: number): void {
    this.#spend(codePointCount(fill) * count);
    this.#parts.push(fill.repeat(count));
  }

  appendReference(length: number, data: string): void {
    this.append('0'.repeat(length));
    if (data === '') return;
    this.#budget.spend('recordCharacters', codePointCount(data));
    this.#references.push({ part: this.#parts.length - 1, digits: length / 2, data });
  }

  finish(): string {
    for (const { part, digits, data } of this.#references) {
      const length = codePointCount(data);
      this.#parts[part] = `${this.#length}`.padStart(digits, '0') + `${length}`.padStart(digits, '0');
      this.#parts.push(data);
      this.#length += length;
    }
    return this.#parts.join('');
  }

  #spend(characters: number): void {
    this.#budget.spend('recordCharacters', characters);
    this.#length += characters;
  }
}

/**
 * MAP$ FROM-…,TO-VARIABLES: maps a document to one variable per field; the record of the result is empty. VAR or WITH
 * of the field names the variable, with the prefix `event/` inside an event group. A missing element sets the fill of
 * its area without trailing blanks; a missing occurrence of a repeated group sets no value.
 * @throws MappingLimitError
 */
export function* mapToVariables(structure: Structure, document: ElementNode | undefined, port: MappingPort): Mapping {
  const budget = new MappingBudget();
  const variables = new FieldVariables(port, budget);
  const sink = {
    area(area: AreaDefinition, value: string | undefined): void {
      if (area.fieldVariable === undefined) return;
      variables.write(area.fieldVariable, areaValue(area, value, port));
    },
    constant(): void {},
    missingOccurrences(): void {},
  };
  const abended = yield* new DocumentWalk(structure, document, port, sink, budget).run();
  return abended === undefined ? { kind: 'mapped', record: '' } : { kind: 'abended', at: abended };
}
