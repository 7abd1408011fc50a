/** Control codes of the SNA character string (GA23-0059, chapter 9; GC20-1868). */
export const scsCodes = {
  null: 0x00,
  verticalChannelSelect: 0x04,
  horizontalTab: 0x05,
  graphicEscape: 0x08,
  verticalTab: 0x0b,
  formFeed: 0x0c,
  carriageReturn: 0x0d,
  shiftOut: 0x0e,
  shiftIn: 0x0f,
  enablePresentation: 0x14,
  newLine: 0x15,
  backspace: 0x16,
  interchangeRecordSeparator: 0x1e,
  inhibitPresentation: 0x24,
  lineFeed: 0x25,
  setAttribute: 0x28,
  set: 0x2b,
  bell: 0x2f,
  presentationPosition: 0x34,
  transparent: 0x35,
} as const;

/** What is set: the byte after SET. Each is followed by a length that counts itself. */
export const scsFormats = { horizontal: 0xc1, vertical: 0xc2 } as const;

/** Directions of Presentation Position. */
export const scsMoves = {
  absoluteHorizontal: 0xc0,
  absoluteVertical: 0xc4,
  relativeHorizontal: 0xc8,
  relativeVertical: 0x4c,
} as const;
