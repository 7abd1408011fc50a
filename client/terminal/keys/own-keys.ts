import { MOST_KEYS } from '../../../src/terminal/settings/read-settings.js';
import type { ApplicationKeys, OwnKeys } from '../../../src/terminal/settings/terminal-settings.js';
import { keyMapTables } from './key-map-tables.js';

/** Without a key for this action, keyboard users could not leave the screen. */
export const WAY_OUT = 'leaveScreen';

/**
 * @param isKept store it even if the base map has it, to give it priority over macro hot keys
 * @returns the user's own keys; `''` means that a key does nothing
 */
export function withKey({ keyMap, keys }: ApplicationKeys, chord: string, action: string, isKept = false): OwnKeys {
  const { [chord]: _, ...others } = keys;
  return !isKept && (keyMapTables[keyMap][chord] ?? '') === action ? others : { ...others, [chord]: action };
}

export function keysByAction(inForce: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [chord, action] of inForce) found.set(action, [...(found.get(action) ?? []), chord]);
  return found;
}

export function hasRoomFor(keys: OwnKeys): boolean {
  return Object.keys(keys).length <= MOST_KEYS;
}
