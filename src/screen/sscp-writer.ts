import { formatControls, orders, SPACE } from '../datastream/orders.js';
import type { ScreenState } from './screen-state.js';

/** How many bytes follow an order that does not belong in this stream, but that some hosts send all the same. */
const skippedAfter: Readonly<Record<number, number>> = {
  [orders.setBufferAddress]: 2,
  [orders.insertCursor]: 0,
};

/**
 * Writes SSCP-LU data, the text that a host's services show before an application is bound: text from the cursor on, NL for
 * a new line, no fields (IBM 3174 Functional Description, "SSCP-LU session").
 */
export function writeSscpData(state: ScreenState, bytes: Uint8Array): void {
  const { space } = state;
  let at = space.cursor;
  const put = (code: number) => {
    space.planes.setCharacter(at, code);
    at = space.next(at);
  };
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] as number;
    const skipped = skippedAfter[code];
    if (skipped !== undefined) {
      index += skipped;
    } else if (code === formatControls.newLine) {
      const row = Math.floor(at / space.columns);
      do put(0);
      while (Math.floor(at / space.columns) === row);
    } else if (code === orders.startField) {
      index++;
      put(SPACE);
    } else {
      put(code);
    }
  }
  space.cursor = at;
  space.updateFormatted();
  state.sscpStart = at;
}

/** What Enter sends: at most this much, from where the host's text ended (RFC 2355, section 10.1). */
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
