/** Attention identifiers (GA23-0059, chapter 3, "AID"). */
export const aids = {
  none: 0x60,
  structuredField: 0x88,
  readPartition: 0x61,
  trigger: 0x7f,
  systemRequest: 0xf0,
  cursorSelect: 0x7e,
  enter: 0x7d,
  clear: 0x6d,
  pa1: 0x6c,
  pa2: 0x6e,
  pa3: 0x6b,
  pf1: 0xf1,
  pf2: 0xf2,
  pf3: 0xf3,
  pf4: 0xf4,
  pf5: 0xf5,
  pf6: 0xf6,
  pf7: 0xf7,
  pf8: 0xf8,
  pf9: 0xf9,
  pf10: 0x7a,
  pf11: 0x7b,
  pf12: 0x7c,
  pf13: 0xc1,
  pf14: 0xc2,
  pf15: 0xc3,
  pf16: 0xc4,
  pf17: 0xc5,
  pf18: 0xc6,
  pf19: 0xc7,
  pf20: 0xc8,
  pf21: 0xc9,
  pf22: 0x4a,
  pf23: 0x4b,
  pf24: 0x4c,
} as const;

export type AidName = keyof typeof aids;

const nameOfAid: ReadonlyMap<number, AidName> = new Map(
  (Object.keys(aids) as AidName[]).map((name) => [aids[name], name]),
);

export function aidName(aid: number): AidName | undefined {
  return nameOfAid.get(aid);
}

/** True for Clear and the program access keys, which send only their identifier, without cursor and fields. */
export function isShortRead(aid: number): boolean {
  return aid === aids.clear || aid === aids.pa1 || aid === aids.pa2 || aid === aids.pa3;
}
