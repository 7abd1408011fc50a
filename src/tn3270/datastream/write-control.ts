/** Bits of the write control character (GA23-0059, chapter 3, "WCC"). */
export const writeControls = {
  reset: 0x40,
  startPrinter: 0x08,
  soundAlarm: 0x04,
  restoreKeyboard: 0x02,
  resetModified: 0x01,
} as const;
