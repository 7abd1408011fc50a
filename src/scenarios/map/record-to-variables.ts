import { codePointCount, withoutTrailingBlanks } from '../../lib/text/characters.js';
import type { SourcePlace } from '../syntax.js';
import { encodeBase64, eventualAreaFill, isReference, readPattern } from './area-text.js';
import {
  type AreaDefinition,
  type Definition,
  EVENT_VARIABLE,
  type EventualAlternative,
  type EventualAreaDefinition,
  type GroupDefinition,
  type Structure,
} from './definition.js';
import {
  FieldVariables,
  type Mapping,
  MappingBudget,
  MappingLimitError,
  type MappingPort,
  mappingLimits,
} from './mapping.js';

/**
 * TOVAR$ FROM-…: splits a record into one variable per field of the structure, the reverse of MAP$, for use in
 * templates. The event of an EVENTUAL-AREA is the one whose constant is in the record. Variables are named as in
 * `mapToVariables`; the record of the result is empty.
 * @throws MappingLimitError
 */
export function* recordToVariables(structure: Structure, record: string, port: MappingPort): Mapping {
  if (record.length > mappingLimits.recordCharacters && codePointCount(record) > mappingLimits.recordCharacters) {
    throw new MappingLimitError('recordCharacters');
  }
  return yield* new RecordWalk(record, port).run(structure);
}

class RecordWalk {
  readonly #reader: RecordReader;
  readonly #port: MappingPort;
  readonly #budget = new MappingBudget();
  readonly #variables: FieldVariables;
  #event: string | undefined;
  #abended: SourcePlace | undefined;

  constructor(record: string, port: MappingPort) {
    this.#reader = new RecordReader(record);
    this.#port = port;
    this.#variables = new FieldVariables(port, this.#budget);
  }

  *run(structure: Structure): Mapping {
    yield* this.#group(structure);
    const abended = this.#abended;
    return abended === undefined ? { kind: 'mapped', record: '' } : { kind: 'abended', at: abended };
  }

  /** Skips occurrences past the end of the record, and those that read nothing from it. */
  *#group(group: GroupDefinition): Mapping<void> {
    if (group.event !== undefined && group.event !== this.#event) return;
    if (group.occurs === undefined) {
      yield* this.#children(group);
      if (group.count !== undefined) this.#port.replace(group.count, '1');
      return;
    }
    const wanted = group.occurs === 'unlimited' ? Number.POSITIVE_INFINITY : group.occurs;
    let count = 0;
    for (let before = -1; count < wanted && !this.#reader.isAtEnd && before !== this.#reader.position; count++) {
      before = this.#reader.position;
      yield* this.#children(group);
      if (this.#abended !== undefined) return;
    }
    if (group.count !== undefined) this.#port.replace(group.count, `${count}`);
  }

  *#children(group: GroupDefinition): Mapping<void> {
    this.#budget.spend('repetitions', 1);
    for (const child of group.children) {
      this.#budget.spendStep(0);
      if (this.#budget.isRestDue()) yield undefined;
      yield* this.#definition(child);
      if (this.#abended !== undefined) return;
    }
  }

  *#definition(definition: Definition): Mapping<void> {
    switch (definition.kind) {
      case 'group':
        yield* this.#group(definition);
        return;
      case 'area':
        this.#area(definition);
        return;
      case 'eventualArea':
        this.#recognize(definition);
        return;
      case 'execute':
        yield { execute: definition.label, line: definition.line, column: definition.column };
        return;
      case 'abend':
        this.#abended = { line: definition.line, column: definition.column };
        return;
      case 'abendAt':
        return;
    }
  }

  #area(area: AreaDefinition): void {
    if (!area.inRecord || area.length === undefined) return;
    const text = this.#reader.take(area.length);
    if (area.fieldVariable === undefined) return;
    const value = this.#valueOf(area, text);
    this.#budget.spendStep(value.length);
    this.#variables.write(area.fieldVariable, value);
  }

  #valueOf({ content, pattern }: AreaDefinition, text: string): string {
    if (isReference(content)) {
      const data = this.#referredData(text);
      return content === 'OFFSET-LENGTH-BINARY' ? encodeBase64(data, 'bytes') : data;
    }
    const characters = withoutTrailingBlanks(text);
    if (content === 'BASE64') return encodeBase64(characters, 'text');
    return pattern === undefined ? characters : readPattern(pattern, characters);
  }

  #referredData(reference: string): string {
    if (!/^\d+$/.test(reference)) return '';
    const digits = reference.length / 2;
    return this.#reader.slice(Number(reference.slice(0, digits)), Number(reference.slice(digits)));
  }

  #recognize({ alternatives }: EventualAreaDefinition): void {
    const length = (alternative: EventualAlternative) => codePointCount(alternative.constant);
    const longestFirst = [...alternatives].sort((one, other) => length(other) - length(one));
    const found = longestFirst.find((one) => this.#reader.peek(length(one)) === one.constant);
    this.#reader.take(found === undefined ? eventualAreaFill(alternatives).length : length(found));
    this.#event = found?.event ?? found?.when?.path?.text;
    if (this.#event !== undefined) this.#port.append(EVENT_VARIABLE, this.#event);
  }
}

/** Positions and lengths count code points. */
class RecordReader {
  /** The string itself if each code point is one UTF-16 unit, otherwise an array of code points. */
  readonly #characters: string | readonly string[];
  #at = 0;

  constructor(record: string) {
    this.#characters = /[\ud800-\udfff]/.test(record) ? Array.from(record) : record;
  }

  get position(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** Reads the next area; the result is shorter or empty at the end of the record. */
  take(length: number): string {
    const area = this.slice(this.#at, length);
    this.#at = Math.min(this.#at + length, this.#characters.length);
    return area;
  }

  peek(length: number): string {
    return this.slice(this.#at, length);
  }

  slice(start: number, length: number): string {
    const characters = this.#characters.slice(start, start + length);
    return typeof characters === 'string' ? characters : characters.join('');
  }
}
