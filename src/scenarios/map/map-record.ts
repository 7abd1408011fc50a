import type { ElementNode } from '../../lib/documents/element-tree.js';
import { withoutTrailingBlanks } from '../../lib/text/code-points.js';
import { isReference } from './area-text.js';
import { areaValue } from './area-value.js';
import type { AreaDefinition, GroupDefinition, Structure } from './definition.js';
import { DocumentWalk, type DocumentWalkSink } from './document-walk.js';
import { MappingBudget } from './mapping-limit.js';
import type { Mapping, MappingPort } from './mapping-port.js';
import { RecordBuilder } from './record-builder.js';

/**
 * MAP$ FROM-…: maps a document to the record that a structure describes. A document that could not be read
 * (undefined) is mapped as an empty one. Source: spec 2.4, reference/4.3.
 *
 * Yields each MAP$ EXECUTE, whose subroutine is run before the generator is resumed, and undefined where it can rest.
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
