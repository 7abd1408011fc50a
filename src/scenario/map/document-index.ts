import type { ElementNode } from '../../document/element-tree.js';
import type { ElementPath, ElementStep } from './element-path.js';

/** The whole document, root element included, as the place to look in. */
export const WHOLE_DOCUMENT = -1;

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
  readonly #byLocalName = new Map<string, number[]>();
  readonly #matches = new Map<string, PathMatches>();

  constructor(root: ElementNode) {
    // own stack rather than recursion: the depth is the document's
    const open: { readonly position: number; readonly children: Iterator<ElementNode> }[] = [];
    this.#enter(root, WHOLE_DOCUMENT);
    open.push({ position: 0, children: root.children[Symbol.iterator]() });
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.children.next();
      if (next.done) {
        this.#lastInside[top.position] = this.#elements.length - 1;
        open.pop();
      } else {
        const position = this.#enter(next.value, top.position);
        open.push({ position, children: next.value.children[Symbol.iterator]() });
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
    const positions = this.#byLocalName.get(element.localName);
    if (positions === undefined) this.#byLocalName.set(element.localName, [position]);
    else positions.push(position);
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
    const local = last === undefined ? undefined : this.#byLocalName.get(last.localName);
    if (local === undefined) return noMatches;
    return {
      exact: local.filter((position) => this.#follows(position, steps, 'name')),
      local: local.filter((position) => this.#follows(position, steps, 'localName')),
    };
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
