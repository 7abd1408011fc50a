import type { Action } from './action-registry.js';
import { type WordKey, words } from './words/words.js';

interface KeyedTerminal {
  press(name: string): void;
}

/** Terminal keys as actions: attention keys and editing keys. Labels as on terminal keyboards. */
const editingKeys: Readonly<Record<string, WordKey>> = {
  Reset: 'key.Reset',
  Insert: 'key.Insert',
  Tab: 'key.Tab',
  BackTab: 'key.BackTab',
  Home: 'key.Home',
  Newline: 'key.Newline',
  FieldEnd: 'key.FieldEnd',
  Erase: 'key.Erase',
  BackSpace: 'key.BackSpace',
  Delete: 'key.Delete',
  EraseEOF: 'key.EraseEOF',
  DeleteField: 'key.DeleteField',
  EraseInput: 'key.EraseInput',
  Dup: 'key.Dup',
  FieldMark: 'key.FieldMark',
  Left: 'key.Left',
  Right: 'key.Right',
  PreviousWord: 'key.PreviousWord',
  NextWord: 'key.NextWord',
  Up: 'key.Up',
  Down: 'key.Down',
};
const hostKeys: Readonly<Record<string, WordKey>> = {
  ENTER: 'key.ENTER',
  CLEAR: 'key.CLEAR',
  PA1: 'key.PA1',
  PA2: 'key.PA2',
  PA3: 'key.PA3',
  ATTN: 'key.ATTN',
  SYSREQ: 'key.SYSREQ',
};
const FUNCTION_KEY = /^PF0?(\d+)$/;
const MOST_FUNCTION_KEYS = 24;
const FOR_HOST = /^(?:ENTER|CLEAR|ATTN|SYSREQ|DISCONNECT|P[AF]\d+)$/;

export function isHostKey(name: string): boolean {
  return FOR_HOST.test(name);
}

/** Label of an attention key by its name in the page: `PF03`, `ENTER`. */
export function hostKeyWords(name: string): string {
  const number = FUNCTION_KEY.exec(name)?.[1];
  if (number !== undefined) return words('key.PF', { number });
  const key = hostKeys[name];
  return key === undefined ? name : words(key);
}

export function terminalKeyActions(terminal: KeyedTerminal): readonly Action[] {
  const functionKeys = Array.from({ length: MOST_FUNCTION_KEYS }, (_, at) => [
    `PF${String(at + 1).padStart(2, '0')}`,
    words('key.PF', { number: at + 1 }),
  ]);
  const named = (keys: Readonly<Record<string, WordKey>>) => Object.entries(keys).map(([id, key]) => [id, words(key)]);
  return [...named(hostKeys), ...functionKeys, ...named(editingKeys)].map(([id = '', label = '']) => ({
    id,
    label,
    run: () => terminal.press(id),
  }));
}
