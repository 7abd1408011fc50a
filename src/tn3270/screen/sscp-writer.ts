import { formatControls, orders, SPACE } from '../datastream/orders.js';
import type { ScreenState } from './screen-state.js';

const NULL = 0;
/** More than the largest screen. Of a longer text, only the end is written. */
const MOST_SERVICES_BYTES = 1 << 16;

/** Number of bytes after orders that are not allowed in this stream but sent by some hosts. */
const skippedAfter: Readonly<Record<number, number>> = {
  [orders.setBufferAddress]: 2,
  [orders.insertCursor]: 0,
};

/**
 * Writes SSCP-LU data, text that a host's services display before an application is bound: text at the cursor, NL for a
 * new row, no fields (IBM 3174 Functional Description, "SSCP-LU session"). Scrolls after the last row.
 */
export function writeSscpData(state: ScreenState, text: Uint8Array): void {
  const { space } = state;
  const bytes = text.subarray(Math.max(0, text.length - MOST_SERVICES_BYTES));
  // the first pass finds the end, so that the second one need not draw rows that scroll away
  const end = drawSscpData(state, bytes, space.cursor, () => undefined);
  const rows = scrollFor(state, end);
  const { planes } = space;
  drawSscpData(state, bytes, space.cursor - rows * space.columns, (at, code, next) => {
    if (next <= 0) return;
    if (code === NULL) planes.clearRange(Math.max(0, at), next);
    else planes.setCharacter(at, code);
  });
  space.cursor = end - rows * space.columns;
  space.updateFormatted();
  state.sscpStart = space.cursor;
}

function drawSscpData(
  { space: { columns } }: ScreenState,
  bytes: Uint8Array,
  from: number,
  put: (at: number, code: number, next: number) => void,
): number {
  let at = from;
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] as number;
    const skipped = skippedAfter[code];
    if (skipped !== undefined) {
      index += skipped;
    } else if (code === formatControls.newLine) {
      const next = (Math.floor(at / columns) + 1) * columns;
      put(at, NULL, next);
      at = next;
    } else {
      if (code === orders.startField) index++;
      put(at, code === orders.startField ? SPACE : code, ++at);
    }
  }
  return at;
}

/** @returns the number of rows scrolled */
function scrollFor({ space }: ScreenState, address: number): number {
  const { columns, positions } = space;
  const rows = Math.max(0, Math.floor(address / columns) - space.rows + 1);
  const gone = Math.min(rows * columns, positions);
  space.planes.moveRange(gone, 0, positions - gone);
  space.planes.clearRange(positions - gone, positions);
  return rows;
}

/** After Enter, the answer of the services starts in the next row. */
export function startSscpAnswer(state: ScreenState): void {
  const { space } = state;
  const next = (Math.floor(space.cursor / space.columns) + 1) * space.columns;
  space.cursor = next - scrollFor(state, next) * space.columns;
  state.sscpStart = space.cursor;
}

/** Limit on the input sent by Enter, from the end of the host's text (RFC 2355, section 10.1). */
const MOST_SSCP_BYTES = 255;

export function readSscpInput(state: ScreenState): Uint8Array {
  const { space } = state;
  const bytes: number[] = [];
  for (let at = state.sscpStart; bytes.length < MOST_SSCP_BYTES; ) {
    const code = space.planes.codes[at] as number;
    if (code !== 0) bytes.push(code);
    at = space.next(at);
    if (at === 0) break;
  }
  return Uint8Array.from(bytes);
}
