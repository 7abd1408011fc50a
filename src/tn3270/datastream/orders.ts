/** Orders of the outbound data stream (GA23-0059, chapter 4, "Order codes"). */
export const orders = {
  programTab: 0x05,
  graphicEscape: 0x08,
  setBufferAddress: 0x11,
  eraseUnprotectedToAddress: 0x12,
  insertCursor: 0x13,
  startField: 0x1d,
  setAttribute: 0x28,
  startFieldExtended: 0x29,
  modifyField: 0x2c,
  repeatToAddress: 0x3c,
} as const;

/** Codes that occupy a character position (GA23-0059, chapter 4, "Format control orders"). */
export const formatControls = {
  null: 0x00,
  formFeed: 0x0c,
  carriageReturn: 0x0d,
  shiftOut: 0x0e,
  shiftIn: 0x0f,
  newLine: 0x15,
  endOfMedium: 0x19,
  duplicate: 0x1c,
  fieldMark: 0x1e,
  lineFeed: 0x25,
  substitute: 0x3f,
  eightOnes: 0xff,
} as const;

export const SPACE = 0x40;

const controls: ReadonlySet<number> = new Set(Object.values(formatControls));

/** True for codes that occupy a character position; all others are orders or reserved. */
export function isCharacter(code: number): boolean {
  return code >= SPACE || controls.has(code);
}
