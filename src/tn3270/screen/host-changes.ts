import type { BufferAddress } from '../datastream/buffer-address.js';
import type { Planes } from './planes.js';
import type { PresentationSpace } from './presentation-space.js';

/** Changed ranges that are remembered. When there are more, the oldest are forgotten. */
const MOST_CHANGED_RANGES = 64;

/** Marks of positions. */
const CHANGED = 1;
const BOUNDARY = 2;

/** Positions from `from` up to, not including, `to`. */
interface ChangedRange {
  readonly from: BufferAddress;
  readonly to: BufferAddress;
  /** A field attribute has come or gone at each of them. */
  readonly isBoundary: boolean;
  /** Of the screen after the change. */
  readonly revision: number;
}

/**
 * Remembers which positions the host has changed, and at which revision of the screen. So the server can tell whether a key that was
 * pressed on an older revision still means the same. Bounded: a question about a revision that is too old is answered with yes.
 */
export class HostChanges {
  #erased = 0;
  /** Of the latest change that was forgotten. */
  #forgotten = 0;
  #ranges: ChangedRange[] = [];

  /** The host has erased or replaced the whole screen. */
  erased(revision: number): void {
    this.#erased = revision;
    this.#ranges = [];
  }

  /** The revision at which the screen was erased or replaced last. */
  get erasedAt(): number {
    return this.#erased;
  }

  /** The host has carried out a write. @param before the screen before it */
  written(before: Planes, after: Planes, positions: number, revision: number): void {
    after.eachDifference(before, positions, (from, to, isBoundary) => {
      const kept = this.#ranges.filter(
        (range) => range.from < from || range.to > to || (range.isBoundary && !isBoundary),
      );
      kept.push({ from, to, isBoundary, revision });
      const forgotten = kept.length > MOST_CHANGED_RANGES ? kept.shift() : undefined;
      if (forgotten !== undefined) this.#forgotten = forgotten.revision;
      this.#ranges = kept;
    });
  }

  /** Whether the whole screen was erased or replaced after a revision, or the changes since then are no longer known. */
  isErasedSince(revision: number): boolean {
    return revision < this.#erased || revision < this.#forgotten;
  }

  /**
   * Marks the positions that were changed after a revision, boundaries apart from others.
   * @returns undefined: none was
   */
  marksSince(revision: number, positions: number): Uint8Array | undefined {
    const newer = this.#ranges.filter((range) => range.revision > revision);
    if (newer.length === 0) return undefined;
    const marks = new Uint8Array(positions);
    for (const { from, to } of newer) marks.fill(CHANGED, from, to);
    for (const { from, to, isBoundary } of newer) if (isBoundary) marks.fill(BOUNDARY, from, to);
    return marks;
  }
}

/** Positions that a submit names: those of a text, or the one of the cursor. */
interface NamedPositions {
  readonly address: BufferAddress;
  /** Counts only if the screen has no fields. */
  readonly length: number;
}

/**
 * Whether the host has changed one of the fields with these positions after a revision: its boundaries, its attributes or its
 * contents. On a screen without fields the positions themselves count.
 */
export function isChangedSince(
  { hostChanges, space }: { readonly hostChanges: HostChanges; readonly space: PresentationSpace },
  revision: number,
  named: readonly NamedPositions[],
): boolean {
  const changed = hostChanges.marksSince(revision, space.positions);
  if (changed === undefined) return false;
  if (!space.formatted) {
    return named.some(({ address, length }) => isMarked(changed, address, address + length));
  }
  const fields = fieldsWith(changed, space);
  return named.some(({ address }) => fields[address] === CHANGED);
}

/** Marks the fields of which a position is marked, or that end at a new attribute. */
function fieldsWith(changed: Uint8Array, space: PresentationSpace): Uint8Array {
  const { positions } = space;
  const fields = new Uint8Array(positions);
  const first = space.firstField() ?? 0;
  let field = first;
  do {
    // of the attribute that ends it; a field goes on at the beginning of the screen
    const end = field + space.fieldLength(field) + 1;
    const parts = [
      [field, Math.min(end, positions)],
      [0, Math.max(0, end - positions)],
    ] as const;
    const next = end % positions;
    if (changed[next] === BOUNDARY || parts.some(([from, to]) => isMarked(changed, from, to))) {
      for (const [from, to] of parts) fields.fill(CHANGED, from, to);
    }
    field = next;
  } while (field !== first);
  return fields;
}

function isMarked(marks: Uint8Array, from: BufferAddress, to: BufferAddress): boolean {
  for (let at = from; at < to; at++) if (marks[at] !== 0) return true;
  return false;
}
