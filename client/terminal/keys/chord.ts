import { type WordKey, words } from '../words/words.js';

/** What of a KeyboardEvent tells keys. */
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
/** Nothing to be mapped: an input method is at work, an accent waits for its letter, or it only changes what others do. */
const NO_KEYS: readonly string[] = ['Dead', 'Process', 'Unidentified', 'AltGraph', 'NumLock', 'CapsLock', 'Fn', ''];
const OTHER_LETTER = /^(?!\p{Script=Latin})\p{L}$/u;

/**
 * The names of a key with its modifiers, as key maps write them: the more exact one first. `NumpadEnter` is also an `Enter`;
 * `Numpad7` is none of the other digits. None for a modifier by itself, and for what writes a character.
 */
export function chordsOf(press: KeyPress): readonly string[] {
  const { key, code, location, ctrlKey, altKey, shiftKey, metaKey } = press;
  // AltGr writes characters
  if (press.isComposing || press.getModifierState('AltGraph')) return [];
  if (NO_KEYS.includes(key) || MODIFIERS.includes(key)) return [];
  const isCharacter = [...key].length === 1;
  const isCommand = ctrlKey || altKey || metaKey;
  const before = `${ctrlKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${metaKey ? 'Meta+' : ''}`;
  const chords: string[] = [];
  if (location === NUMERIC_KEYPAD) chords.push(`${before}${isCharacter || key === 'Enter' ? code : `Numpad${key}`}`);
  if (!isCharacter || isCommand) chords.push(`${before}${nameOf(key, code, isCharacter)}`);
  // keyboards that write other letters have the Latin ones printed beside them
  const latin = OTHER_LETTER.test(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  if (latin !== undefined && isCommand) chords.push(`${before}${latin}`);
  return chords.filter((chord) => chord.length <= LONGEST_NAME + before.length);
}

function nameOf(key: string, code: string, isCharacter: boolean): string {
  if (!isCharacter) return key;
  if (key === ' ') return 'Space';
  // where digits need Shift, as in France, the key is still theirs
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  const upper = key.toUpperCase();
  return digit ?? ([...upper].length === 1 ? upper : key);
}

/** The name of a modifier by itself: `ControlRight`. Undefined for any other key. */
export function modifierOf({ key, code }: KeyPress): string | undefined {
  return MODIFIERS.includes(key) && /^(?:Control|Shift|Alt|Meta)(?:Left|Right)$/.test(code) ? code : undefined;
}

/** What Chromium keeps for itself in a window with tabs: pages never hear of it. */
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

/** As it stands on keyboards. */
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
