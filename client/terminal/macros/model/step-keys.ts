import { keyNames, stepNames } from '../../../../src/tn3270/keyboard/key-names.js';
import { isAttentionKey } from '../../model/attention-key.js';

/** Macro names of keys. Attention keys use these names in the protocol too, PF keys with two digits. */
const keys: ReadonlyMap<string, string> = new Map(
  keyNames.map(([key, step]) => [step, isSent(step) ? step.replace(/^PF(?=\d$)/, 'PF0') : key]),
);
const names: ReadonlyMap<string, string> = new Map([...keys].map(([name, key]) => [key, name]));

export function keyOfStep(name: string): string | undefined {
  return keys.get(name);
}

/** @param key in the notation of the terminal, PF keys with or without a leading zero */
export function stepOfKey(key: string): string | undefined {
  return names.get(key) ?? (keys.has(key) ? key : undefined);
}

/** True for keys that the host answers. */
export function isAttentionStep(name: string): boolean {
  return isSent(name) && keys.has(name);
}

function isSent(name: string): boolean {
  return isAttentionKey(name) || name === 'ATTN' || name === 'SYSREQ';
}

/** Suggests a name for one with wrong case. */
export function nearestStepName(name: string): string | undefined {
  return stepNames.find((one) => one.toLowerCase() === name.toLowerCase());
}
