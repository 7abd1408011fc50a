import { formatControls } from '../datastream/orders.js';

/** Behind one of these Program Tab clears nothing, as behind an order. */
export const controlsLikeOrders: ReadonlySet<number> = new Set([
  formatControls.formFeed,
  formatControls.carriageReturn,
  formatControls.newLine,
  formatControls.endOfMedium,
  formatControls.duplicate,
  formatControls.fieldMark,
  formatControls.lineFeed,
  formatControls.substitute,
  formatControls.eightOnes,
]);

export function hasShiftIn(record: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (record[at] === formatControls.shiftIn) return true;
  return false;
}
