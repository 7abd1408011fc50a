import { stepNames } from '../../../../src/macro/step-names.js';

/** Keys that the terminal has another name for. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['InsToogle', 'Insert'],
  ['NewLine', 'Newline'],
  ['Backtab', 'BackTab'],
  ['Bksp', 'BackSpace'],
  ['End', 'FieldEnd'],
  ['ErEof', 'EraseEOF'],
  ['Del', 'Delete'],
  ['ErInput', 'EraseInput'],
]);
/** By the names that macros have for them. */
const keys: ReadonlyMap<string, string> = new Map(
  stepNames.map((name) => [name, otherNames.get(name) ?? name.replace(/^PF(?=\d$)/, 'PF0')]),
);
const names: ReadonlyMap<string, string> = new Map([...keys].map(([name, key]) => [key, name]));

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
