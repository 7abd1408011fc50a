/** SGR 1, 4, 5 and 7 as bits of the highlighting attribute. */
export const highlightingBits: Readonly<Record<number, number>> = { 1: 0x08, 4: 0x04, 5: 0x01, 7: 0x02 };
/** Black, red, green, yellow, blue, magenta, cyan, white. */
export const colourOfAnsi = [0xf0, 0xf2, 0xf4, 0xf6, 0xf1, 0xf3, 0xf5, 0xf7] as const;
