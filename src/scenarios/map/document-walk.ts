import type { SourcePlace } from '../syntax.js';
import { eventualAreaFill } from './area-text.js';
import {
  type AreaDefinition,
  type Definition,
  EVENT_VARIABLE,
  type EventualAreaDefinition,
  type EventualCondition,
  type ExecuteDefinition,
  type GroupDefinition,
  type Structure,
} from './definition.js';
import { DocumentIndex, WHOLE_DOCUMENT } from './document-index.js';
import { type ElementNode, type ElementPath, localNameOf } from './element-tree.js';
import type { Mapping, MappingBudget, MappingPort } from './mapping.js';

/** Gets what a walk over a document finds, in output order. */
export interface DocumentWalkSink {
  /** `value` is undefined if the element, attribute or variable is missing. */
  area(area: AreaDefinition, value: string | undefined): void;
  constant(text: string): void;
  /** Occurrences that OCCURS=n asks for and the document does not have. */
  missingOccurrences(group: GroupDefinition, count: number): void;
}

/** Position of the current element; undefined: the document does not have it. */
type Position = number | undefined;

/**
 * Walks an output structure over a document: enters groups, repeats them, chooses events, reads values.
 *
 * A group whose element is missing is walked all the same, without an element, where it has no OCCURS, so that its
 * areas give their fills; with OCCURS the missing occurrences are only filled: no variable, event or subroutine.
 */
export class DocumentWalk {
  readonly #structure: Structure;
  readonly #root: ElementNode | undefined;
  #document: DocumentIndex | undefined;
  readonly #port: MappingPort;
  readonly #sink: DocumentWalkSink;
  readonly #budget: MappingBudget;
  #event: string | undefined;
  #lastFoundElementName: string | undefined;
  #abended: SourcePlace | undefined;

  constructor(
    structure: Structure,
    document: ElementNode | undefined,
    port: MappingPort,
    sink: DocumentWalkSink,
    budget: MappingBudget,
  ) {
    this.#structure = structure;
    this.#root = document;
    this.#port = port;
    this.#sink = sink;
    this.#budget = budget;
  }

  /**
   * Returns the place of the MAP$ ABEND that ended it, if one did.
   * @throws MappingLimitError
   */
  *run(): Mapping<SourcePlace | undefined> {
    if (this.#root !== undefined) this.#document = yield* DocumentIndex.of(this.#root);
    const walk = this.#group(this.#structure, this.#wholeDocument());
    if (walk !== undefined) yield* walk;
    return this.#abended;
  }

  #wholeDocument(): Position {
    return this.#document === undefined ? undefined : WHOLE_DOCUMENT;
  }

  /** Undefined if the group gives nothing. What it needs is looked up at once. */
  #group(group: GroupDefinition, current: Position): Mapping<void> | undefined {
    if (group.event !== undefined && group.event !== this.#event) return undefined;
    const inside = group.top ? this.#wholeDocument() : current;
    if (group.with === undefined) return this.#children(group, inside);
    if (group.count !== undefined) this.#setCount(group.count, group.with, inside);
    if (group.occurs === undefined) return this.#children(group, this.#find(group.with, inside));
    return this.#occurrences(group, group.with, inside);
  }

  *#occurrences(group: GroupDefinition, path: ElementPath, inside: Position): Mapping<void> {
    const wanted = group.occurs === 'unlimited' ? Number.POSITIVE_INFINITY : (group.occurs ?? 1);
    let count = 0;
    if (this.#document !== undefined && inside !== undefined) {
      for (const position of this.#document.findAll(path, inside)) {
        if (count === wanted || this.#abended !== undefined) break;
        count++;
        this.#lastFoundElementName = this.#document.element(position).name;
        yield* this.#children(group, position);
      }
    }
    if (wanted !== Number.POSITIVE_INFINITY) this.#sink.missingOccurrences(group, wanted - count);
  }

  *#children(group: GroupDefinition, position: Position): Mapping<void> {
    this.#budget.spend('repetitions', 1);
    for (const child of group.children) {
      this.#budget.spendStep(0);
      if (this.#budget.isRestDue()) yield undefined;
      if (child.kind === 'group') {
        const walk = this.#group(child, position);
        if (walk !== undefined) yield* walk;
      } else if (child.kind === 'execute') yield { execute: child.label, line: child.line, column: child.column };
      else this.#leaf(child, position);
      if (this.#abended !== undefined) return;
    }
  }

  /** What neither holds others nor calls a subroutine needs no generator of its own: there are many of them. */
  #leaf(definition: Exclude<Definition, GroupDefinition | ExecuteDefinition>, position: Position): void {
    switch (definition.kind) {
      case 'area':
        this.#sink.area(definition, this.#value(definition, position));
        return;
      case 'eventualArea':
        this.#choose(definition, position);
        return;
      case 'abend':
        this.#abendAt(definition);
        return;
      case 'abendAt':
        if (this.#find(definition.path, position) !== undefined) this.#abendAt(definition);
        return;
    }
  }

  #abendAt({ line, column }: SourcePlace): void {
    this.#abended = { line, column };
  }

  #value({ source }: AreaDefinition, position: Position): string | undefined {
    switch (source.from) {
      case 'element':
        return this.#textOf(this.#select(source.path, position));
      case 'attribute':
        return this.#attributeOf(this.#select(source.path, position), source.attribute);
      case 'constant':
        return source.text;
      case 'variable':
        return this.#read(this.#port.valueOf(source.variable));
      case 'lastFoundElementName':
        return this.#lastFoundElementName;
    }
  }

  #select(path: ElementPath | undefined, position: Position): Position {
    return path === undefined ? position : this.#find(path, position);
  }

  #find(path: ElementPath, inside: Position): Position {
    if (this.#document === undefined || inside === undefined) return undefined;
    const position = this.#document.find(path, inside);
    if (position !== undefined) this.#lastFoundElementName = this.#document.element(position).name;
    return position;
  }

  /** White space around the text of an element is layout of the document, not value. */
  #textOf(position: Position): string | undefined {
    if (this.#document === undefined || position === undefined) return undefined;
    return this.#read(this.#document.element(position).text)?.trim();
  }

  #attributeOf(position: Position, attribute: string): string | undefined {
    if (this.#document === undefined || position === undefined) return undefined;
    const { attributes } = this.#document.element(position);
    const exact = attributes.get(attribute);
    if (exact !== undefined) return this.#read(exact);
    for (const [name, value] of attributes) {
      this.#budget.spendStep(0);
      if (localNameOf(name) === attribute) return this.#read(value);
    }
    return undefined;
  }

  #read(value: string | undefined): string | undefined {
    this.#budget.spendStep(value?.length ?? 0);
    return value;
  }

  #choose({ alternatives }: EventualAreaDefinition, position: Position): void {
    for (const alternative of alternatives) {
      this.#budget.spendStep(0);
      if (!this.#holds(alternative.when, position)) continue;
      this.#sink.constant(alternative.constant);
      this.#event = alternative.event ?? this.#elementName(alternative.when, position);
      if (this.#event !== undefined) this.#port.append(EVENT_VARIABLE, this.#event);
      return;
    }
    this.#sink.constant(eventualAreaFill(alternatives));
    this.#event = undefined;
  }

  #holds(when: EventualCondition | undefined, position: Position): boolean {
    if (when === undefined) return true;
    if (when.kind === 'element') return this.#find(when.path, position) !== undefined;
    return this.#textOf(this.#select(when.path, position)) === when.value;
  }

  /** The name of the element that a condition is about: as the condition writes it, or of the current element. */
  #elementName(when: EventualCondition | undefined, position: Position): string | undefined {
    if (when === undefined) return undefined;
    if (when.path !== undefined) return when.path.text;
    return this.#document === undefined || position === undefined ? undefined : this.#document.element(position).name;
  }

  #setCount(variable: string, path: ElementPath, inside: Position): void {
    let count = 0;
    if (this.#document !== undefined && inside !== undefined) {
      for (const _found of this.#document.findAll(path, inside)) {
        this.#budget.spendStep(0);
        count++;
      }
    }
    this.#port.replace(variable, `${count}`);
  }
}
