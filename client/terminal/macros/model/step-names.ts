/** Keys by the names that macros have for them (reference 5.1, spelling included), and those that the terminal has. */
const keys: ReadonlyMap<string, string> = new Map([
  ...['ENTER', 'CLEAR', 'ATTN', 'PA1', 'PA2', 'PA3'].map((name) => [name, name] as const),
  ...Array.from({ length: 24 }, (_, at) => [`PF${at + 1}`, `PF${String(at + 1).padStart(2, '0')}`] as const),
  ['InsToogle', 'Insert'],
  ['NewLine', 'Newline'],
  ['Home', 'Home'],
  ['Tab', 'Tab'],
  ['Backtab', 'BackTab'],
  ['Bksp', 'BackSpace'],
  ['Left', 'Left'],
  ['Right', 'Right'],
  ['Down', 'Down'],
  ['Up', 'Up'],
  ['End', 'FieldEnd'],
  ['ErEof', 'EraseEOF'],
  ['Del', 'Delete'],
  ['Reset', 'Reset'],
  ['FieldMark', 'FieldMark'],
  ['Dup', 'Dup'],
  // these two are ours
  ['ErInput', 'EraseInput'],
  ['SYSREQ', 'SYSREQ'],
]);
const names: ReadonlyMap<string, string> = new Map([...keys].map(([name, key]) => [key, name]));

export const stepNames: readonly string[] = [...keys.keys()];

/** The key of the terminal; undefined where a macro has no such key. */
export function keyOfStep(name: string): string | undefined {
  return keys.get(name);
}

/** @param key as the terminal names it, PF keys with or without a leading zero */
export function stepOfKey(key: string): string | undefined {
  return names.get(key) ?? (keys.has(key) ? key : undefined);
}

/** It goes to the host, and the host answers. */
export function isAttentionStep(name: string): boolean {
  return /^(?:ENTER|CLEAR|ATTN|SYSREQ|P[AF]\d+)$/.test(name) && keys.has(name);
}

/** The name that was meant, where only the case is wrong. */
export function nearestStepName(name: string): string | undefined {
  return stepNames.find((one) => one.toLowerCase() === name.toLowerCase());
}
