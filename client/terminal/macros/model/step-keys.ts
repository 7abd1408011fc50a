import { stepNames } from '../../../../src/macros/step-names.js';
import { keyNames } from '../../../../src/tn3270/keyboard/key-names.js';
import { isAttentionKey } from '../../model/attention-key.js';

/** By the names that macros have for them. The terminal sends keys to the host by those names, PF keys with two digits. */
const keys: ReadonlyMap<string, string> = new Map(
  keyNames.map(([key, step]) => [step, isSent(step) ? step.replace(/^PF(?=\d$)/, 'PF0') : key]),
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
  return isSent(name) && keys.has(name);
}

function isSent(name: string): boolean {
  return isAttentionKey(name) || name === 'ATTN' || name === 'SYSREQ';
}

/** The name that was meant, where only the case is wrong. */
export function nearestStepName(name: string): string | undefined {
  return stepNames.find((one) => one.toLowerCase() === name.toLowerCase());
}
