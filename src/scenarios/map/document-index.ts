import type { RestingWork } from '../../lib/turns/work-in-turns.js';
import type { ElementNode, ElementPath, ElementStep } from './element-tree.js';
import { ELEMENTS_AT_A_STRETCH } from './json-document.js';

/** The whole document, root element included, as the place to look in. */
export const WHOLE_DOCUMENT = -1;

/** A document of so few elements is read from end to end for each path: an index of its names would take longer to make. */
const FEW_ELEMENTS = 16;

interface PathMatches {
  /** Positions of the elements whose names are written as in the path, prefix and all. */
  readonly exact: readonly number[];
  /** Positions of those whose local names are. */
  readonly local: readonly number[];
}

const noMatches: PathMatches = { exact: [], local: [] };

/**
 * The elements of a document by position (document order, from 0), so that a look-up takes logarithmic time: each path
 * is resolved once for the whole document. Names are case sensitive; a match on the name as written goes before one on
 * the local name.
 */
export class DocumentIndex {
  readonly #elements: ElementNode[] = [];
  /** Position of each element's last descendant (its own where it has none). */
  readonly #lastInside: number[] = [];
  readonly #parents: number[] = [];
  /** Undefined where there are few elements. */
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
    // own stack rather than recursion: the depth is the document's
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

  /** The element at a position; the root for the whole document. */
  element(position: number): ElementNode {
    const element = this.#elements[Math.max(position, 0)];
    if (element === undefined) throw new RangeError(`no element at ${position}`);
    return element;
  }

  /** The first element inside `position` that the path names. */
  find(path: ElementPath, position: number): number | undefined {
    const { exact, local } = this.#matchesOf(path);
    const last = this.#last(position);
    return firstBetween(exact, position + 1, last) ?? firstBetween(local, position + 1, last);
  }

  /** The elements inside `position` that the path names, in document order, those inside one of them left out. */
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

  /** Positions of the elements of a local name, in document order. */
  #named(localName: string): readonly number[] {
    if (this.#byLocalName !== undefined) return this.#byLocalName.get(localName) ?? [];
    const positions: number[] = [];
    for (let position = 0; position < this.#elements.length; position++) {
      if (this.#elements[position]?.localName === localName) positions.push(position);
    }
    return positions;
  }

  /** Whether the element and its parents have the names of the steps. */
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

/** The first position of an ascending list that is in the range; by halving. */
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
