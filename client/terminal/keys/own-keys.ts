import { MOST_KEYS } from '../../../src/terminal/settings/read-settings.js';
import type { ApplicationKeys, OwnKeys } from '../../../src/terminal/settings/terminal-settings.js';
import { keyMapTables } from './key-map-tables.js';

/** Without a key for it nobody who has only a keyboard would come out of the screen. */
export const WAY_OUT = 'leaveScreen';

/**
 * @param isKept also where the map has it so: a key of one's own goes before the hot keys of macros, one of the map behind them
 * @returns the keys of one's own where a key does something, or nothing (`''`)
 */
export function withKey({ keyMap, keys }: ApplicationKeys, chord: string, action: string, isKept = false): OwnKeys {
  const { [chord]: _, ...others } = keys;
  return !isKept && (keyMapTables[keyMap][chord] ?? '') === action ? others : { ...others, [chord]: action };
}

/** The actions by their identifiers, with their keys. */
export function keysByAction(inForce: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [chord, action] of inForce) found.set(action, [...(found.get(action) ?? []), chord]);
  return found;
}

export function hasRoomFor(keys: OwnKeys): boolean {
  return Object.keys(keys).length <= MOST_KEYS;
}
