import type { TerminalSettings } from '../../../src/terminal/settings/terminal-settings.js';

type Keys = Readonly<Record<string, string>>;

const numbered = (before: string, from: number): Keys =>
  Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`${before}F${at + 1}`, `PF${String(from + at).padStart(2, '0')}`]),
  );

/** Part of every map: keys of the page, and keys that are the same on all terminals. */
const everywhere: Keys = {
  ...numbered('', 1),
  ...numbered('Shift+', 13),
  Enter: 'ENTER',
  Tab: 'Tab',
  'Shift+Tab': 'BackTab',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  'Shift+ArrowUp': 'selectUp',
  'Shift+ArrowDown': 'selectDown',
  'Shift+ArrowLeft': 'selectLeft',
  'Shift+ArrowRight': 'selectRight',
  Home: 'Home',
  Backspace: 'Erase',
  'Shift+Backspace': 'BackSpace',
  Delete: 'Delete',
  Insert: 'Insert',
  'Shift+Enter': 'Newline',
  'Alt+K': 'leaveScreen',
  'Alt+M': 'macros',
  'Alt+Enter': 'fullScreen',
  'Ctrl+,': 'settings',
  'Ctrl+K': 'palette',
  'Ctrl+F1': 'help',
  // the browser handles Ctrl+C and Ctrl+V and fires copy and paste events
  'Ctrl+A': 'selectAll',
  'Ctrl+Shift+C': 'copyAppend',
  'Alt+T': 'copyTable',
  'Alt+L': 'copyField',
  'Alt+V': 'pasteRest',
  'Ctrl+Z': 'undoPaste',
  'Alt+G': 'followLabel',
  'Ctrl+F': 'find',
  'Alt+PageUp': 'history',
  'Alt+O': 'history',
  'Ctrl+P': 'print',
  'Ctrl+S': 'saveText',
};

const pc: Keys = {
  ...everywhere,
  'Ctrl+ArrowLeft': 'PreviousWord',
  'Ctrl+ArrowRight': 'NextWord',
  'Ctrl+U': 'DeleteField',
  End: 'FieldEnd',
  'Shift+End': 'FieldEnd',
  Escape: 'Reset',
  PageUp: 'PF07',
  PageDown: 'PF08',
  'Shift+PageUp': 'PF07',
  'Shift+PageDown': 'PF08',
  Pause: 'CLEAR',
  'Shift+Pause': 'CLEAR',
  'Shift+Insert': 'Dup',
  'Shift+Home': 'FieldMark',
  'Shift+Delete': 'EraseEOF',
  'Shift+Escape': 'ATTN',
  'Ctrl+Enter': 'Newline',
  'Ctrl+Delete': 'EraseInput',
  'Ctrl+End': 'EraseEOF',
  'Ctrl+Home': 'CLEAR',
  'Ctrl+Backspace': 'EraseEOF',
  'Alt+1': 'PA1',
  'Alt+2': 'PA2',
  'Alt+3': 'PA3',
  'Alt+C': 'CLEAR',
  'Alt+R': 'Reset',
  'Alt+A': 'ATTN',
  'Alt+S': 'SYSREQ',
  'Alt+I': 'EraseInput',
  'Alt+E': 'EraseEOF',
  'Alt+D': 'Dup',
  'Alt+F': 'FieldMark',
  'Alt+Insert': 'FieldMark',
};

/**
 * Resources x3270.keymap.base and x3270.keymap.base.3270 of x3270 4.1ga10 (`strings x3270`), without keys that do not
 * exist here. Alt+F4 is left to the window.
 */
const x3270: Keys = {
  ...everywhere,
  ...Object.fromEntries(Object.entries(numbered('Alt+', 13)).filter(([chord]) => chord !== 'Alt+F4')),
  'Alt+1': 'PA1',
  'Alt+2': 'PA2',
  'Alt+3': 'PA3',
  'Alt+A': 'ATTN',
  'Alt+C': 'CLEAR',
  'Alt+D': 'Delete',
  'Alt+E': 'EraseEOF',
  'Alt+H': 'Home',
  'Alt+I': 'Insert',
  'Alt+R': 'Reset',
  'Alt+ArrowLeft': 'PreviousWord',
  'Alt+ArrowRight': 'NextWord',
  'Ctrl+U': 'DeleteField',
};

/**
 * Common defaults of the 3270 keyboards of Host On-Demand and Personal Communications, as commonly described. Not
 * compared with the products; docs/use/terminal.md calls it a starting point.
 */
const ibm: Keys = {
  ...everywhere,
  ControlRight: 'ENTER',
  ControlLeft: 'Reset',
  NumpadEnter: 'ENTER',
  Escape: 'ATTN',
  'Shift+Escape': 'SYSREQ',
  Pause: 'CLEAR',
  PageUp: 'PF07',
  PageDown: 'PF08',
  End: 'EraseEOF',
  'Alt+End': 'EraseInput',
  'Shift+End': 'DeleteField',
  'Ctrl+ArrowLeft': 'PreviousWord',
  'Ctrl+ArrowRight': 'NextWord',
  'Shift+Insert': 'Dup',
  'Shift+Home': 'FieldMark',
  'Alt+Insert': 'PA1',
  'Alt+Home': 'PA2',
};

export const keyMapTables: Readonly<Record<TerminalSettings['keyMap'], Keys>> = {
  PC: pc,
  x3270,
  HOD: { ...ibm, 'Alt+PageUp': 'PA3' },
  PCOMM: { ...ibm, 'Shift+PageUp': 'PA3' },
};
