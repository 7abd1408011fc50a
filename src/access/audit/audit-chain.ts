import type { FileHandle } from 'node:fs/promises';
import { type AuditLine, hashOf, readLine } from './audit-entry.js';
import { LARGEST_LINE_BYTES, LINE_END, linesBetween, readBlock } from './audit-lines.js';

/** Bytes that a process checks before its first append. `audit verify` checks the rest. */
const MOST_FOLLOWED_BYTES = 16 * 1024 * 1024;
/** Intents without an outcome that are remembered. A higher number occurs only with a faulty disk. */
const MOST_UNFINISHED = 1000;

export interface ChainPosition {
  readonly bytes: number;
  readonly sequence: number;
  readonly hash: string;
}

/** Changes with an intent and no outcome: the process ended before it recorded the outcome. */
export class UnfinishedChanges {
  readonly #intents = new Map<number, AuditLine>();

  take(line: AuditLine): void {
    if (line.stage === 'intended' && this.#intents.size < MOST_UNFINISHED) this.#intents.set(line.sequence, line);
    if (line.intent !== undefined) this.#intents.delete(line.intent);
  }

  get lines(): readonly AuditLine[] {
    return [...this.#intents.values()];
  }
}

export function faultInChain({ sequence, previous }: AuditLine, number: number, lastHash: string): string | undefined {
  if (sequence !== number) {
    return `expected sequence ${number}, found ${sequence}: lines were removed, inserted or moved`;
  }
  if (previous === lastHash) return undefined;
  return number === 1
    ? 'its hash of the previous line is not that of a first line'
    : `its hash of the previous line does not match: line ${number - 1} or this one was changed or replaced`;
}

/**
 * Verifies the chain from `from` to `end`, the end of a complete line.
 * @throws Error with the number of the first line that does not continue the chain
 */
export async function followChain(
  handle: FileHandle,
  from: ChainPosition,
  end: number,
  take: (line: AuditLine, position: ChainPosition) => void = () => {},
): Promise<ChainPosition> {
  let position = from;
  if (end < from.bytes) throw new Error('entries are missing: it was truncated or replaced');
  for await (const bytes of linesBetween(handle, from.bytes, end)) {
    const line = readLine(bytes);
    const number = position.sequence + 1;
    if (line.kind === 'fault') throw new Error(`line ${number}: ${line.fault}`);
    const fault = faultInChain(line.value, number, position.hash);
    if (fault !== undefined) throw new Error(`line ${number}: ${fault}`);
    position = { bytes: position.bytes + bytes.length + 1, sequence: number, hash: hashOf(bytes) };
    take(line.value, position);
  }
  return position;
}

/** Start position for a trail longer than MOST_FOLLOWED_BYTES. The line before this position is trusted. */
export async function farthestPosition(handle: FileHandle, end: number): Promise<ChainPosition | undefined> {
  if (end <= MOST_FOLLOWED_BYTES) return undefined;
  const start = end - MOST_FOLLOWED_BYTES;
  const block = await readBlock(handle, start, 2 * (LARGEST_LINE_BYTES + 1));
  const lineStart = block.indexOf(LINE_END) + 1;
  const lineEnd = block.indexOf(LINE_END, lineStart);
  const bytes = block.subarray(lineStart, Math.max(lineStart, lineEnd));
  const line = readLine(bytes);
  if (line.kind === 'fault') throw new Error(`a line at byte ${start + lineStart}: ${line.fault}`);
  return { bytes: start + lineEnd + 1, sequence: line.value.sequence, hash: hashOf(bytes) };
}
