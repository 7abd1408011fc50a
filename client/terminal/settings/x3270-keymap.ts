import { isChord, MOST_KEYS } from '../../../src/terminal/settings/read-settings.js';
import type { OwnKeys } from '../../../src/terminal/settings/terminal-settings.js';
import { type WordKey, words } from '../words/words.js';

/** In UTF-16 code units. */
export const LARGEST_KEYMAP = 65_536;
const LONGEST_TOLD = 80;

interface LineFault {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

interface ReadKeymap {
  readonly keys: OwnKeys;
  readonly faults: readonly LineFault[];
  /** At least one line belongs to a key map. */
  readonly isKeymap: boolean;
}

type Translation =
  | { readonly kind: 'key'; readonly chord: string; readonly action: string }
  | { readonly kind: 'fault'; readonly reason: WordKey };

const actionsOfNames: Readonly<Record<string, string>> = {
  enter: 'ENTER',
  clear: 'CLEAR',
  attn: 'ATTN',
  sysreq: 'SYSREQ',
  reset: 'Reset',
  tab: 'Tab',
  backtab: 'BackTab',
  home: 'Home',
  newline: 'Newline',
  fieldend: 'FieldEnd',
  backspace: 'BackSpace',
  erase: 'Erase',
  deletefield: 'DeleteField',
  previousword: 'PreviousWord',
  nextword: 'NextWord',
  delete: 'Delete',
  eraseeof: 'EraseEOF',
  eraseinput: 'EraseInput',
  dup: 'Dup',
  fieldmark: 'FieldMark',
  left: 'Left',
  right: 'Right',
  up: 'Up',
  down: 'Down',
  insert: 'Insert',
  toggleinsert: 'Insert',
};

/** X11 keysyms (X11/keysymdef.h) with another name in browsers. */
const keysOfSymbols: Readonly<Record<string, string>> = {
  Return: 'Enter',
  KP_Enter: 'NumpadEnter',
  Prior: 'PageUp',
  Page_Up: 'PageUp',
  Next: 'PageDown',
  Page_Down: 'PageDown',
  BackSpace: 'Backspace',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
  Up: 'ArrowUp',
  Down: 'ArrowDown',
  Print: 'PrintScreen',
  Scroll_Lock: 'ScrollLock',
  Menu: 'ContextMenu',
  space: 'Space',
  Control_L: 'ControlLeft',
  Control_R: 'ControlRight',
  Shift_L: 'ShiftLeft',
  Shift_R: 'ShiftRight',
  Alt_L: 'AltLeft',
  Alt_R: 'AltRight',
  Meta_L: 'MetaLeft',
  Meta_R: 'MetaRight',
  KP_Prior: 'NumpadPageUp',
  KP_Page_Up: 'NumpadPageUp',
  KP_Next: 'NumpadPageDown',
  KP_Page_Down: 'NumpadPageDown',
  KP_Left: 'NumpadArrowLeft',
  KP_Right: 'NumpadArrowRight',
  KP_Up: 'NumpadArrowUp',
  KP_Down: 'NumpadArrowDown',
  KP_Separator: 'NumpadComma',
  comma: ',',
  period: '.',
  minus: '-',
  equal: '=',
  semicolon: ';',
  slash: '/',
  backslash: '\\',
  bracketleft: '[',
  bracketright: ']',
  apostrophe: "'",
  grave: '`',
};
const SAME_NAME = /^(?:F(?:[1-9]|1\d|2[0-4])|Tab|Escape|Delete|Insert|Home|End|Pause|Help)$/;
const KEYPAD = /^KP_(\d|Add|Subtract|Multiply|Divide|Decimal|Home|End|Insert|Delete)$/;
const modifiers: readonly (readonly [name: string, names: readonly string[]])[] = [
  ['Ctrl', ['ctrl', 'control']],
  ['Alt', ['alt', 'meta', 'mod1']],
  ['Shift', ['shift']],
];

/** Reads resources `x3270.keymap.NAME` of an X resource file, or lines without a resource name. */
export function keymapOfResources(text: string): ReadKeymap {
  const keys = new Map<string, string>();
  const faults: LineFault[] = [];
  let isKeymap = false;
  let isOfLineMode = false;
  let isContinued = false;
  for (const [at, whole] of text.slice(0, LARGEST_KEYMAP).split(/\r?\n/).entries()) {
    const start = /^[\w*.-]*keymap\.([\w.-]+)\s*:/i.exec(whole);
    const isComment = !isContinued && /^[!#]/.test(whole) && !whole.includes('<Key');
    isContinued = /\\$/.test(whole);
    if (isComment) continue;
    if (start !== null) isOfLineMode = /\.nvt$/i.test(start[1] ?? '');
    const pieces = whole
      .slice(start?.[0].length ?? 0)
      .replace(/\\$/, '')
      .split('\\n');
    for (const piece of pieces.map((one) => one.replace(/^\s*\\?#(?:override|augment|replace)\b/, '').trim())) {
      if (piece === '') continue;
      const read: Translation = isOfLineMode ? { kind: 'fault', reason: 'keymap.lineMode' } : translationOf(piece);
      if (piece.includes('<Key')) isKeymap = true;
      if (read.kind === 'key' && (keys.has(read.chord) || keys.size < MOST_KEYS)) keys.set(read.chord, read.action);
      else {
        const reason = words(read.kind === 'key' ? 'keys.full' : read.reason);
        faults.push({ line: at + 1, text: piece.slice(0, LONGEST_TOLD), reason });
      }
    }
  }
  return { keys: Object.fromEntries(keys), faults, isKeymap };
}

/** `Ctrl<Key>r: Reset()` */
function translationOf(text: string): Translation {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  const colon = text.indexOf(':', close + 1);
  if (open < 0 || close < 0 || colon < 0) return { kind: 'fault', reason: 'keymap.noLine' };
  const event = text.slice(open + 1, close).toLowerCase();
  if (event !== 'key' && event !== 'keypress' && event !== 'keydown') return { kind: 'fault', reason: 'keymap.noKey' };
  const action = actionOf(text.slice(colon + 1).trim());
  if (action === undefined) return { kind: 'fault', reason: 'keymap.noAction' };
  const symbol = text.slice(close + 1, colon).trim();
  const key = keyOf(symbol);
  const before = modifiersOf(text.slice(0, open).replace(/^[!:\s]+/, ''), /^[A-Z]$/.test(symbol));
  const chord = `${before}${key}`;
  if (key === undefined || before === undefined || !isChord(chord)) return { kind: 'fault', reason: 'keymap.noSymbol' };
  const isCharacter = [...key].length === 1 || key === 'Space';
  if (isCharacter && !/^(?:Ctrl|Alt)\+/.test(chord)) return { kind: 'fault', reason: 'keymap.character' };
  return { kind: 'key', chord, action };
}

/** Undefined if a modifier cannot be used in browsers. */
function modifiersOf(text: string, isCapital: boolean): string | undefined {
  const held = text
    .toLowerCase()
    .split(/\s+/)
    // "not pressed" modifiers are implied
    .filter((name) => name !== '' && name !== 'none' && !name.startsWith('~'));
  if (held.some((name) => !modifiers.some(([, names]) => names.includes(name)))) return undefined;
  return modifiers
    .filter(([name, names]) => names.some((one) => held.includes(one)) || (name === 'Shift' && isCapital))
    .map(([name]) => `${name}+`)
    .join('');
}

function keyOf(symbol: string): string | undefined {
  if (SAME_NAME.test(symbol)) return symbol;
  const keypad = KEYPAD.exec(symbol)?.[1];
  if (keypad !== undefined) return `Numpad${keypad}`;
  const name = Object.hasOwn(keysOfSymbols, symbol) ? keysOfSymbols[symbol] : undefined;
  if (name !== undefined) return name;
  return /^[!-~]$/.test(symbol) ? symbol.toUpperCase() : undefined;
}

/** Undefined for a sequence of actions, which is not supported. */
function actionOf(text: string): string | undefined {
  const [, name = '', argument = ''] = /^([A-Za-z]+)\(([^()]*)\)$/.exec(text) ?? [];
  const value = argument.replace(/["\s]/g, '').toLowerCase();
  const folded = name.toLowerCase();
  if (folded === 'pf' && /^(?:[1-9]|1\d|2[0-4])$/.test(value)) return `PF${value.padStart(2, '0')}`;
  if (folded === 'pa' && /^[1-3]$/.test(value)) return `PA${value}`;
  if (/^(?:toggle|set)$/.test(folded) && /^insertmode(?:,true)?$/.test(value)) return 'Insert';
  return value === '' && Object.hasOwn(actionsOfNames, folded) ? actionsOfNames[folded] : undefined;
}
