import type { RestingWork } from '../../lib/turns/work-in-turns.js';
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
import { type ElementNode, type ElementPath, type ElementStep, localNameOf } from './element-tree.js';
import { ELEMENTS_AT_A_STRETCH } from './json-document.js';
import type { Mapping, MappingBudget, MappingPort } from './mapping.js';

export interface DocumentWalkSink {
  /** `value` is undefined if the element, attribute or variable is missing. */
  area(area: AreaDefinition, value: string | undefined): void;
  constant(text: string): void;
  missingOccurrences(group: GroupDefinition, count: number): void;
}

/** Position of the current element; undefined if the document does not have it. */
type Position = number | undefined;

/**
 * Walks an output structure over a document: enters groups, repeats them, chooses events, reads values.
 *
 * A group without OCCURS whose element is missing is still walked, so its areas supply their fills. With OCCURS,
 * missing occurrences are only filled: they set no variable or event and call no subroutine.
 */
export class DocumentWalk {
  readonly #structure: Structure;
  readonly #port: MappingPort;
  readonly #sink: DocumentWalkSink;
  readonly #budget: MappingBudget;
  readonly #root: ElementNode | undefined;
  #document: DocumentIndex | undefined;
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
    this.#port = port;
    this.#sink = sink;
    this.#budget = budget;
    this.#root = document;
  }

  /** @returns the place of the MAP$ ABEND or ABEND-AT that ended the mapping, if any */
  *run(): Mapping<SourcePlace | undefined> {
    if (this.#root !== undefined) this.#document = yield* DocumentIndex.of(this.#root);
    const walk = this.#group(this.#structure, this.#wholeDocument());
    if (walk !== undefined) yield* walk;
    return this.#abended;
  }

  #wholeDocument(): Position {
    return this.#document === undefined ? undefined : WHOLE_DOCUMENT;
  }

  /** Undefined if the group has no output. Look-ups happen here, before the returned generator runs. */
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

  /** White space around the text of an element is layout, not part of the value. */
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

const WHOLE_DOCUMENT = -1;

/** Scanning so few elements for each path is faster than building an index. */
const FEW_ELEMENTS = 16;

interface PathMatches {
  /** Positions of the elements whose qualified names match the path. */
  readonly exact: readonly number[];
  /** Positions of the elements whose local names match. */
  readonly local: readonly number[];
}

const noMatches: PathMatches = { exact: [], local: [] };

/**
 * Elements of a document by position (document order, from 0), for look-ups in logarithmic time: each path is resolved
 * once for the whole document. Names are case-sensitive; a qualified name that matches takes precedence over a local
 * name.
 */
class DocumentIndex {
  readonly #elements: ElementNode[] = [];
  /** Position of each element's last descendant, or its own position if it has no children. */
  readonly #lastInside: number[] = [];
  readonly #parents: number[] = [];
  #byLocalName: ReadonlyMap<string, readonly number[]> | undefined;
  readonly #matches = new Map<string, PathMatches>();

  static *of(root: ElementNode): RestingWork<DocumentIndex> {
    const index = new DocumentIndex();
    yield* index.#enterAll(root);
    if (index.#elements.length > FEW_ELEMENTS) index.#byLocalName = yield* positionsByLocalName(index.#elements);
    return index;
  }

  private constructor() {}

  *#enterAll(root: ElementNode): RestingWork<void> {
    // an explicit stack instead of recursion, because the document determines the depth
    const open = [this.#enter(root, WHOLE_DOCUMENT)];
    const entered = [0];
    for (let top = 0; top >= 0; ) {
      const position = open[top] ?? 0;
      const next = entered[top] ?? 0;
      const child = this.#elements[position]?.children[next];
      if (child === undefined) {
        this.#lastInside[position] = this.#elements.length - 1;
        top -= 1;
      } else {
        entered[top] = next + 1;
        top += 1;
        open[top] = this.#enter(child, position);
        entered[top] = 0;
        if (this.#elements.length % ELEMENTS_AT_A_STRETCH === 0) yield;
      }
    }
  }

  element(position: number): ElementNode {
    const element = this.#elements[Math.max(position, 0)];
    if (element === undefined) throw new RangeError(`no element at ${position}`);
    return element;
  }

  find(path: ElementPath, position: number): number | undefined {
    const { exact, local } = this.#matchesOf(path);
    const last = this.#last(position);
    return firstBetween(exact, position + 1, last) ?? firstBetween(local, position + 1, last);
  }

  /** Matching elements inside `position` in document order, without those nested in another match. */
  *findAll(path: ElementPath, position: number): Generator<number, void, void> {
    const { exact, local } = this.#matchesOf(path);
    const last = this.#last(position);
    let found = firstBetween(exact, position + 1, last);
    const list = found === undefined ? local : exact;
    found ??= firstBetween(local, position + 1, last);
    while (found !== undefined) {
      yield found;
      found = firstBetween(list, this.#last(found) + 1, last);
    }
  }

  #enter(element: ElementNode, parent: number): number {
    const position = this.#elements.push(element) - 1;
    this.#parents.push(parent);
    this.#lastInside.push(position);
    return position;
  }

  #last(position: number): number {
    return this.#lastInside[Math.max(position, 0)] ?? position;
  }

  #matchesOf(path: ElementPath): PathMatches {
    const known = this.#matches.get(path.text);
    if (known !== undefined) return known;
    const matches = this.#resolve(path);
    this.#matches.set(path.text, matches);
    return matches;
  }

  #resolve({ steps }: ElementPath): PathMatches {
    const last = steps.at(-1);
    if (last === undefined) return noMatches;
    const exact: number[] = [];
    const local: number[] = [];
    for (const position of this.#named(last.localName)) {
      if (this.#follows(position, steps, 'name')) exact.push(position);
      if (this.#follows(position, steps, 'localName')) local.push(position);
    }
    return { exact, local };
  }

  #named(localName: string): readonly number[] {
    if (this.#byLocalName !== undefined) return this.#byLocalName.get(localName) ?? [];
    const positions: number[] = [];
    for (let position = 0; position < this.#elements.length; position++) {
      if (this.#elements[position]?.localName === localName) positions.push(position);
    }
    return positions;
  }

  #follows(position: number, steps: readonly ElementStep[], part: keyof ElementStep): boolean {
    let at = position;
    for (let step = steps.length - 1; step >= 0; step--) {
      if (at < 0 || this.#elements[at]?.[part] !== steps[step]?.[part]) return false;
      at = this.#parents[at] ?? WHOLE_DOCUMENT;
    }
    return true;
  }
}

function* positionsByLocalName(elements: readonly ElementNode[]): RestingWork<Map<string, number[]>> {
  const byLocalName = new Map<string, number[]>();
  for (const [position, { localName }] of elements.entries()) {
    const positions = byLocalName.get(localName);
    if (positions === undefined) byLocalName.set(localName, [position]);
    else positions.push(position);
    if (position % ELEMENTS_AT_A_STRETCH === ELEMENTS_AT_A_STRETCH - 1) yield;
  }
  return byLocalName;
}

function firstBetween(positions: readonly number[], from: number, to: number): number | undefined {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found = positions[low];
  return found === undefined || found > to ? undefined : found;
}
