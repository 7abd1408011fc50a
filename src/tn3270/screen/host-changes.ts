import type { BufferAddress } from '../datastream/buffer-address.js';
import type { Planes } from './planes.js';
import type { PresentationSpace } from './presentation-space.js';

const MOST_CHANGED_RANGES = 64;

const CHANGED = 1;
const BOUNDARY = 2;

interface ChangedRange {
  readonly from: BufferAddress;
  readonly to: BufferAddress;
  /** A field attribute was added or removed at each position. */
  readonly isBoundary: boolean;
  readonly revision: number;
}

/**
 * Positions changed by the host, by revision, to decide if a key pressed on an older revision still has the same
 * meaning. Memory is bounded: revisions that are too old count as changed.
 */
export class HostChanges {
  #erased = 0;
  #forgotten = 0;
  #ranges: ChangedRange[] = [];

  erased(revision: number): void {
    this.#erased = revision;
    this.#ranges = [];
  }

  get erasedAt(): number {
    return this.#erased;
  }

  written(before: Planes, after: Planes, positions: number, revision: number): void {
    after.eachDifference(before, positions, (from, to, isBoundary) => {
      const ranges = this.#ranges;
      let kept = 0;
      for (const range of ranges) {
        const isCovered = range.from >= from && range.to <= to && (isBoundary || !range.isBoundary);
        if (!isCovered) ranges[kept++] = range;
      }
      ranges.length = kept;
      ranges.push({ from, to, isBoundary, revision });
      const forgotten = ranges.length > MOST_CHANGED_RANGES ? ranges.shift() : undefined;
      if (forgotten !== undefined) this.#forgotten = forgotten.revision;
    });
  }

  /** True if the screen was erased or replaced after a revision, or changes since then were discarded. */
  isErasedSince(revision: number): boolean {
    return revision < this.#erased || revision < this.#forgotten;
  }

  marksSince(revision: number, positions: number): Uint8Array | undefined {
    const newer = this.#ranges.filter((range) => range.revision > revision);
    if (newer.length === 0) return undefined;
    const marks = new Uint8Array(positions);
    for (const { from, to } of newer) marks.fill(CHANGED, from, to);
    for (const { from, to, isBoundary } of newer) if (isBoundary) marks.fill(BOUNDARY, from, to);
    return marks;
  }
}

interface NamedPositions {
  readonly address: BufferAddress;
  /** Used only on an unformatted screen. */
  readonly length: number;
}

/** Compares boundaries, attributes and content of the fields. On an unformatted screen, compares only the positions. */
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

function fieldsWith(changed: Uint8Array, space: PresentationSpace): Uint8Array {
  const { positions } = space;
  const fields = new Uint8Array(positions);
  const first = space.firstField() ?? 0;
  let field = first;
  do {
    // address of the next attribute; exceeds `positions` if the field wraps around
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
