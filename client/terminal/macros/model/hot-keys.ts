import type { HotKey, Macro } from '../../../../src/macros/macro-set.js';
import { words } from '../../words/words.js';

/** Keys allowed as hot keys with Ctrl or Alt, and their key codes. */
export const hotKeyNames: ReadonlyMap<number, string> = new Map([
  ...Array.from({ length: 12 }, (_, at) => [112 + at, `F${at + 1}`] as const),
  ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789', (letter) => [letter.charCodeAt(0), letter] as const),
]);

/** Used by the terminal: the Alt keys of keyboard-map, K for the buttons, M for the macros. */
const takenWithAlt = [...'123ACDEFIKMRS', 'F4'];
/** Reserved by browsers, or used for the clipboard. */
const takenWithControl = [...'ACNTVWXZ', 'F4'];
/** Used by browsers, but pages can override them. */
const usedWithControl = [...'BDEFGHJKLOPQRSUY123456789', 'F5', 'F6'];

export function hotKeyWords({ key, keycode }: HotKey): string {
  const name = hotKeyNames.get(keycode) ?? words('hotKey.unnamed', { code: keycode });
  return `${words(key === 'ctrl' ? 'chord.ctrl' : 'chord.alt')}+${name}`;
}

export function hasHotKey(macro: Macro): macro is Macro & { readonly mapping: HotKey } {
  return macro.mapping !== undefined && canBeHotKey(macro.mapping);
}

/** In key map notation. */
export function chordOfHotKey({ key, keycode }: HotKey): string {
  return `${key === 'ctrl' ? 'Ctrl' : 'Alt'}+${hotKeyNames.get(keycode) ?? ''}`;
}

interface MappedKey {
  readonly label: string;
  /** Assigned by the user: it has priority over hot keys. */
  readonly isOwn: boolean;
}

export type FindMappedKey = (chord: string) => MappedKey | undefined;

/**
 * @param others all macros except this one
 * @returns the reason if the key is not allowed; undefined if it is
 */
export function refusalOfHotKey(
  hotKey: HotKey,
  others: readonly Macro[],
  mapped: FindMappedKey = () => undefined,
): string | undefined {
  const key = hotKeyWords(hotKey);
  if (!canBeHotKey(hotKey)) return words('hotKey.needed', { key });
  const owner = others.find(({ mapping }) => mapping !== undefined && isSame(mapping, hotKey));
  if (owner !== undefined) return words('hotKey.taken', { key, name: owner.name });
  const use = mapped(chordOfHotKey(hotKey));
  return use?.isOwn === true ? words('hotKey.own', { key, action: use.label }) : undefined;
}

export function warningOfHotKey(hotKey: HotKey, mapped: FindMappedKey = () => undefined): string | undefined {
  const use = mapped(chordOfHotKey(hotKey));
  if (use !== undefined) return words('hotKey.hides', { key: hotKeyWords(hotKey), action: use.label });
  const name = hotKeyNames.get(hotKey.keycode) ?? '';
  const isUsed = hotKey.key === 'ctrl' && usedWithControl.includes(name);
  return isUsed ? words('hotKey.used', { key: hotKeyWords(hotKey) }) : undefined;
}

export function canBeHotKey({ key, keycode }: HotKey): boolean {
  const name = hotKeyNames.get(keycode);
  return name !== undefined && !(key === 'ctrl' ? takenWithControl : takenWithAlt).includes(name);
}

interface KeyPress {
  readonly keyCode: number;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

export function macroOfHotKey(press: KeyPress, macros: readonly Macro[]): Macro | undefined {
  const { keyCode: keycode, ctrlKey, altKey, shiftKey, metaKey } = press;
  if (ctrlKey === altKey || shiftKey || metaKey) return undefined;
  const pressed: HotKey = { key: ctrlKey ? 'ctrl' : 'alt', keycode };
  if (!canBeHotKey(pressed)) return undefined;
  return macros.find(({ mapping }) => mapping !== undefined && isSame(mapping, pressed));
}

function isSame(one: HotKey, other: HotKey): boolean {
  return one.key === other.key && one.keycode === other.keycode;
}
