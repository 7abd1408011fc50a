import type { FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** Without the line end. */
export const LARGEST_LINE_BYTES = 64 * 1024;
export const LINE_END = 0x0a;

const BLOCK_BYTES = 64 * 1024;
/** An incomplete line may still be in the middle of a write, so it is read again this often. */
const LOOKS_AT_UNFINISHED_LINE = 5;
const MILLISECONDS_BETWEEN_LOOKS = 50;

/**
 * Complete lines without their line ends, last line first. A line over the limit is returned and ends the iteration.
 */
export async function* linesFromEnd(handle: FileHandle): AsyncGenerator<Buffer> {
  let { size: position } = await handle.stat();
  let rest: Buffer = Buffer.alloc(0);
  let isUnfinished = true;
  while (position > 0) {
    const length = Math.min(BLOCK_BYTES, position);
    position -= length;
    const bytes = Buffer.concat([await readBlock(handle, position, length), rest]);
    let end = bytes.length;
    while (end > 0) {
      const lineEnd = bytes.lastIndexOf(LINE_END, end - 1);
      if (lineEnd < 0) break;
      if (!isUnfinished) yield bytes.subarray(lineEnd + 1, end);
      isUnfinished = false;
      end = lineEnd;
    }
    rest = bytes.subarray(0, end);
    if (rest.length > LARGEST_LINE_BYTES) break;
  }
  if (!isUnfinished || rest.length > LARGEST_LINE_BYTES) yield rest;
}

/** Complete lines without their line ends. A fault ends the iteration. */
export async function* linesFromStart(handle: FileHandle): AsyncGenerator<ReadOutcome<Buffer>> {
  let position = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (let looks = 0; looks < LOOKS_AT_UNFINISHED_LINE; ) {
    const block = await readBlock(handle, position + rest.length, BLOCK_BYTES);
    if (block.length === 0) {
      if (rest.length === 0) return;
      looks += 1;
      rest = Buffer.alloc(0);
      await pause(MILLISECONDS_BETWEEN_LOOKS);
      continue;
    }
    const bytes = Buffer.concat([rest, block]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
      yield readAs(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    position += start;
    if (rest.length > LARGEST_LINE_BYTES) return yield readFault(`it is longer than ${LARGEST_LINE_BYTES} bytes`);
  }
  yield readFault(
    'it has no end: who wrote it was killed before it was confirmed; the next entry takes its place and says so',
  );
}

/**
 * Lines of a range that starts and ends at line boundaries. A line over the limit is returned and ends the iteration.
 */
export async function* linesBetween(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for (let position = start; position < end && rest.length <= LARGEST_LINE_BYTES; ) {
    const block = await readBlock(handle, position, Math.min(BLOCK_BYTES, end - position));
    if (block.length === 0) break;
    position += block.length;
    const bytes = Buffer.concat([rest, block]);
    let lineStart = 0;
    for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, lineStart)) {
      yield bytes.subarray(lineStart, at);
      lineStart = at + 1;
    }
    rest = bytes.subarray(lineStart);
  }
  if (rest.length > 0) yield rest;
}

export async function readBlock(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
