import { type WordKey, words } from '../words/words.js';

export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly location: number;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  getModifierState(name: string): boolean;
}

const NUMERIC_KEYPAD = 3;
const LONGEST_NAME = 32;
const MODIFIERS: readonly string[] = ['Control', 'Shift', 'Alt', 'Meta'];
/** Keys that are not mapped: input methods, dead keys and modifiers. */
const NO_KEYS: readonly string[] = ['Dead', 'Process', 'Unidentified', 'AltGraph', 'NumLock', 'CapsLock', 'Fn', ''];
const OTHER_LETTER = /^(?!\p{Script=Latin})\p{L}$/u;

/**
 * Key map names of a key with its modifiers, most specific first. `NumpadEnter` is also `Enter`; `Numpad7` is not `7`.
 * Empty for a modifier and for keys that type a character.
 */
export function chordsOf(press: KeyPress): readonly string[] {
  const { key, code, location, ctrlKey, altKey, shiftKey, metaKey } = press;
  // AltGr types characters
  if (press.isComposing || press.getModifierState('AltGraph')) return [];
  if (NO_KEYS.includes(key) || MODIFIERS.includes(key)) return [];
  const isCharacter = [...key].length === 1;
  const isCommand = ctrlKey || altKey || metaKey;
  const before = `${ctrlKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${metaKey ? 'Meta+' : ''}`;
  const chords: string[] = [];
  if (location === NUMERIC_KEYPAD) chords.push(`${before}${isCharacter || key === 'Enter' ? code : `Numpad${key}`}`);
  if (!isCharacter || isCommand) chords.push(`${before}${nameOf(key, code, isCharacter)}`);
  // keyboards with other scripts have Latin letters printed on the same keys
  const latin = OTHER_LETTER.test(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  if (latin !== undefined && isCommand) chords.push(`${before}${latin}`);
  return chords.filter((chord) => chord.length <= LONGEST_NAME + before.length);
}

function nameOf(key: string, code: string, isCharacter: boolean): string {
  if (!isCharacter) return key;
  if (key === ' ') return 'Space';
  // on layouts where digits need Shift, such as French, the key counts as the digit
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  const upper = key.toUpperCase();
  return digit ?? ([...upper].length === 1 ? upper : key);
}

export function modifierOf({ key, code }: KeyPress): string | undefined {
  return MODIFIERS.includes(key) && /^(?:Control|Shift|Alt|Meta)(?:Left|Right)$/.test(code) ? code : undefined;
}

/** Keys that Chromium reserves in a window with tabs: pages do not receive them. */
export const keptByBrowser: readonly string[] = [
  'Ctrl+N',
  'Ctrl+T',
  'Ctrl+W',
  'Ctrl+F4',
  'Ctrl+Shift+N',
  'Ctrl+Shift+T',
  'Ctrl+Shift+W',
  'Ctrl+Tab',
  'Ctrl+Shift+Tab',
  'Ctrl+PageUp',
  'Ctrl+PageDown',
  'Alt+F4',
];

export function isKeptByBrowser(chord: string): boolean {
  return keptByBrowser.includes(chord);
}

const arrows: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };
const namedKeys: Readonly<Record<string, WordKey>> = {
  Escape: 'chord.escape',
  PageUp: 'chord.pageUp',
  PageDown: 'chord.pageDown',
  Enter: 'chord.enter',
  Tab: 'chord.tab',
  Home: 'chord.home',
  End: 'chord.end',
  Insert: 'chord.insert',
  Delete: 'chord.delete',
  Backspace: 'chord.backspace',
  Space: 'chord.space',
  Pause: 'chord.pause',
  ControlLeft: 'chord.controlLeft',
  ControlRight: 'chord.controlRight',
  ShiftLeft: 'chord.shiftLeft',
  ShiftRight: 'chord.shiftRight',
  AltLeft: 'chord.altLeft',
  AltRight: 'chord.altRight',
};
const modifiers: Readonly<Record<string, WordKey>> = {
  Ctrl: 'chord.ctrl',
  Alt: 'chord.alt',
  Shift: 'chord.shift',
  Meta: 'chord.meta',
};

export function chordWords(chord: string): string {
  const [, before = '', name = ''] = /^((?:(?:Ctrl|Alt|Shift|Meta)\+)*)(.+)$/.exec(chord) ?? [];
  const held = before.replaceAll(/\w+/g, (modifier) => words(modifiers[modifier] ?? 'chord.meta'));
  const keypad = /^Numpad(.+)$/.exec(name)?.[1];
  return `${held}${keypad === undefined ? keyWords(name) : words('chord.keypad', { key: keyWords(keypad) })}`;
}

function keyWords(name: string): string {
  const key = namedKeys[name];
  return key === undefined ? (arrows[name] ?? name) : words(key);
}
