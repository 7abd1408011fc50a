import { ownAplCharacter } from '../../tn3270/codepage/apl-character-set.js';
import { isProtected } from '../../tn3270/datastream/field-attribute.js';
import { isEmptyAt, nextWord, previousWord } from '../../tn3270/keyboard/cursor-keys.js';
import type { PresentationSpace } from '../../tn3270/screen/presentation-space.js';
import { type Action, type ActionFamily, ANY_NUMBER } from '../action.js';
import { ActionError } from '../action-error.js';
import { positionsOfField } from '../screen-snapshot.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import {
  charactersOf,
  failOnFaultyRecord,
  LOCKED,
  OPERATOR_ERROR,
  pasteCharacter,
  press,
  typable,
  type,
} from './keys.js';

const characters: Readonly<Record<string, string>> = {
  space: ' ',
  exclam: '!',
  quotedbl: '"',
  numbersign: '#',
  dollar: '$',
  percent: '%',
  ampersand: '&',
  apostrophe: "'",
  quoteright: "'",
  parenleft: '(',
  parenright: ')',
  asterisk: '*',
  plus: '+',
  comma: ',',
  minus: '-',
  period: '.',
  slash: '/',
  colon: ':',
  semicolon: ';',
  less: '<',
  equal: '=',
  greater: '>',
  question: '?',
  at: '@',
  bracketleft: '[',
  backslash: '\\',
  bracketright: ']',
  asciicircum: '^',
  underscore: '_',
  grave: '`',
  quoteleft: '`',
  braceleft: '{',
  bar: '|',
  braceright: '}',
  asciitilde: '~',
  BackSpace: '\b',
  Delete: '\x7f',
  EuroSign: '€',
  Escape: '\x1b',
  Eth: 'Ð',
  Oslash: 'Ø',
  Return: '\r',
  Tab: '\t',
  Thorn: 'Þ',
  euro: '€',
};

/** Key names of U+00A0 to U+00FF, in this order. */
const latin1 = [
  'nobreakspace exclamdown cent sterling currency yen brokenbar section diaeresis copyright ordfeminine guillemotleft',
  'notsign hyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered',
  'cedilla onesuperior masculine guillemotright onequarter onehalf threequarters questiondown Agrave Aacute',
  'Acircumflex Atilde Adiaeresis Aring AE Ccedilla Egrave Eacute Ecircumflex Ediaeresis Igrave Iacute Icircumflex',
  'Idiaeresis ETH Ntilde Ograve Oacute Ocircumflex Otilde Odiaeresis multiply Ooblique Ugrave Uacute Ucircumflex',
  'Udiaeresis Yacute THORN ssharp agrave aacute acircumflex atilde adiaeresis aring ae ccedilla egrave eacute',
  'ecircumflex ediaeresis igrave iacute icircumflex idiaeresis eth ntilde ograve oacute ocircumflex otilde odiaeresis',
  'division oslash ugrave uacute ucircumflex udiaeresis yacute thorn ydiaeresis',
]
  .join(' ')
  .split(' ');
const FIRST_LATIN_1 = 0xa0;

/** APL key names without their prefix `apl_`, each followed by its character (verified with s3270 4.1). */
const aplKeys: ReadonlyMap<string, string> = new Map(
  [
    'alpha⍺ bar- braceleft{ braceright} bracketleft[ bracketright] circle○ circlebar⊖ circleslope⍉ circlestar⍟ circlestile⌽',
    'colon: comma, commabar⍪ degree° del∇ delstile⍒ delta∆ deltastile⍋ deltaunderbar⍙ deltilde⍫ diaeresis¨',
    'diaeresiscircle⍥ diaeresisdot∵ diaeresisjot⍤ diamond⋄ dieresis¨ dieresiscircle⍥ dieresisdot∵ dieresisjot⍤ divide÷ dot.',
    'downarrow↓ downcaret∨ downcarettilde⍱ downshoe∪ downstile⌊ downtack⊤ downtackjot⍎ downtackup⌶ downtackuptack⌶ epsilon∊',
    'epsilonunderbar⍷ equal= equalunderbar≡ equiv≡ euro€ greater> iota⍳ iotaunderbar⍸ jot∘ leftarrow← leftbracket[ leftparen(',
    'leftshoe⊂ lefttack⊣ less< multiply× notequal≠ notgreater≤ notless≥ omega⍵ overbar¯ plus+ plusminus± quad⎕ quaddivide⌹',
    "quadjot⌻ quadquote⍞ quadslope⍂ query? quote' rho⍴ rightarrow→ rightbracket] rightparen) rightshoe⊃ righttack⊢ section§",
    'semicolon; slash/ slashbar⌿ slope\\ slopebar⍀ splat¤ squad⌷ star* stile∣ tilde∼ times× underbar_ uparrow↑ upcaret∧',
    'upcarettilde⍲ upshoe∩ upshoejot⍝ upstile⌈ uptack⊥ uptackjot⍕',
  ]
    .join(' ')
    .split(' ')
    .map((key) => [key.slice(0, -1), key.slice(-1)]),
);

/** Returns the APL variant of characters that code pages also contain, if s3270 sends it. */
function aplKey(name: string): string | undefined {
  const letter = /^([A-Z])underbar$/.exec(name)?.[1];
  const character = letter ?? aplKeys.get(name);
  const isOwn = character !== undefined && (letter !== undefined || '[]{}\\¤°±§×÷¯¨'.includes(character));
  return isOwn ? ownAplCharacter(character.charCodeAt(0)) : character;
}

/**
 * Finds a character by itself, its name or its code point (`0x41`, `U+0041`). Empty for code points outside Unicode.
 */
function keyNamed(name: string): string | undefined {
  if ([...name].length === 1) return name;
  if (name.startsWith('apl_')) return aplKey(name.slice('apl_'.length));
  const place = latin1.indexOf(name);
  if (place >= 0) return String.fromCodePoint(FIRST_LATIN_1 + place);
  // like C, ignore all characters after the number
  const [, digits] = /^(?:0x|U\+)\s*([0-9a-f]+)/i.exec(name) ?? [];
  if (digits === undefined) return characters[name];
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint === 0) return undefined;
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
}

/** Presses a key that fails outside an input field, also during an operator error. */
async function pressWhereTyped(terminal: ScriptedTerminal, key: string): Promise<undefined> {
  const { space, operator } = terminal.screen.state;
  const isRefused = operator.operatorError !== undefined && terminal.isIn3270Mode && !space.canBeTypedAt(space.cursor);
  if (isRefused) throw new ActionError(LOCKED);
  leaveOperatorError(terminal);
  await press(terminal, key);
}

/** Deleting keys clear an operator error, as cursor keys do. */
function leaveOperatorError(terminal: ScriptedTerminal): void {
  const { space, operator } = terminal.screen.state;
  if (operator.operatorError !== undefined) terminal.screen.keyboard.moveTo(space.cursor);
}

async function deleteWord(terminal: ScriptedTerminal): Promise<undefined> {
  if (terminal.isInLineMode) return press(terminal, 'DeleteWord');
  const { space, operator } = terminal.screen.state;
  if (!terminal.isConnected || !space.formatted) return;
  const before = () => space.previous(space.cursor);
  const erase = async () => {
    const [cursor, content] = [space.cursor, space.contentAt(before())];
    await press(terminal, 'Erase');
    return operator.operatorError === undefined && (space.cursor !== cursor || space.contentAt(before()) !== content);
  };
  if (!space.canBeTypedAt(space.cursor)) {
    await pressWhereTyped(terminal, 'Delete');
    return;
  }
  leaveOperatorError(terminal);
  while (!space.isFieldAttribute(before()) && isEmptyAt(space, before())) if (!(await erase())) return;
  while (!space.isFieldAttribute(before()) && !isEmptyAt(space, before())) if (!(await erase())) return;
}

function moving(target: (space: PresentationSpace) => number | undefined): Action {
  return {
    takes: [0, 0],
    act: (terminal) => {
      failOnFaultyRecord(terminal);
      const { space, operator } = terminal.screen.state;
      const to = terminal.isConnected && !operator.keyboardLocked ? target(space) : undefined;
      if (to !== undefined) terminal.screen.keyboard.moveTo(to);
    },
  };
}

async function select(terminal: ScriptedTerminal): Promise<undefined> {
  if (!terminal.isConnected) return;
  failOnFaultyRecord(terminal);
  terminal.screen.select();
  if (terminal.options.toggles.isOn('aidWait')) await terminal.unlocked();
}

const paste: Action = {
  takes: [1, 2],
  act: async (terminal, parameters) => {
    const digits = parameters.join('').replace(/^0x/i, '');
    const bytes = Buffer.from(digits, 'hex');
    const [text = ''] = bytes.toString('utf8').split('\0');
    if (bytes.length * 2 !== digits.length || text.includes('\ufffd')) {
      throw new ActionError('Invalid hexadecimal paste data');
    }
    if (terminal.isInLineMode) {
      const pieces = text.replaceAll('\r', '').split(/(\n)/);
      await type(
        terminal,
        pieces.map((piece) => (piece === '\n' ? { key: 'Enter' } : { text: piece })),
      );
      return undefined;
    }
    failOnFaultyRecord(terminal);
    if (terminal.screen.state.operator.operatorError !== undefined) throw new ActionError(OPERATOR_ERROR);
    if (!terminal.isConnected && text !== '') throw new ActionError('Canceled');
    const { space, operator } = terminal.screen.state;
    const start = space.cursor;
    const margin = start % space.columns;
    const characters = charactersOf(terminal, text.replace(/\n$/, '').replaceAll('\f', ' '));
    let isInNextLine = false;
    for (const character of characters) {
      // after a completely filled line the cursor is already in the next line
      const endsLine = character === '\n' && !isInNextLine;
      // do not wrap from the end of the screen to its top
      const isAtEnd = space.cursor < start || (endsLine && space.cursor >= space.positions - space.columns);
      if (isAtEnd || operator.keyboardLocked) return faultOfOperator(terminal);
      space.moveToMargin(margin);
      const key = pastedKeys[character];
      if (key !== undefined) await press(terminal, key);
      else if (endsLine) moveBelow(terminal, margin);
      else if (character === '\n') isInNextLine = false;
      else if (typable(terminal, character).length > 0) {
        const line = lineOf(space);
        pasteCharacter(terminal, character);
        isInNextLine = lineOf(space) !== line;
      }
    }
    space.moveToMargin(margin);
    return faultOfOperator(terminal);
  },
};

function faultOfOperator({ screen }: ScriptedTerminal): undefined {
  if (screen.state.operator.operatorError !== undefined) throw new ActionError(`${LOCKED}\n${OPERATOR_ERROR}`);
}

function moveBelow({ screen: { state, keyboard } }: ScriptedTerminal, margin: number): void {
  keyboard.moveTo((lineOf(state.space) + 1) * state.space.columns + margin);
}

function lineOf({ cursor, columns }: PresentationSpace): number {
  return Math.floor(cursor / columns);
}

const pastedKeys: Readonly<Record<string, string>> = { '\b': 'Left', '\t': 'Tab' };

const DEFAULT_NAME = '(default)';
const MOST_SAVED_INPUTS = 100;

function saveInput(terminal: ScriptedTerminal, [name = DEFAULT_NAME]: readonly string[]): undefined {
  const picture = terminal.look();
  const { space } = terminal.screen.state;
  const fields = [...picture.fieldAttributes.keys()].filter((at) => {
    const attribute = picture.fieldAttributes[at] as number;
    return attribute !== 0 && !isProtected(attribute);
  });
  const saved = fields.map((field) => ({
    start: space.next(field),
    text: positionsOfField(picture, field)
      .map((at) => picture.contents[at])
      .join('')
      .replaceAll('\0', ' '),
  }));
  terminal.savedInputs.delete(name.toLowerCase());
  terminal.savedInputs.set(name.toLowerCase(), saved);
  const [oldest] = terminal.savedInputs.keys();
  if (terminal.savedInputs.size > MOST_SAVED_INPUTS && oldest !== undefined) terminal.savedInputs.delete(oldest);
}

async function restoreInput(terminal: ScriptedTerminal, [name = DEFAULT_NAME]: readonly string[]): Promise<undefined> {
  failOnFaultyRecord(terminal);
  const { keyboard, state } = terminal.screen;
  if (state.operator.keyboardLocked) return;
  const saved = terminal.savedInputs.get(name.toLowerCase());
  if (saved === undefined) throw new ActionError(`RestoreInput: No such screen: ${name}`.trimEnd());
  const { cursor } = state.space;
  for (const { start, text } of terminal.isIn3270Mode ? saved : []) {
    if (!state.space.canBeTypedAt(start)) continue;
    keyboard.moveTo(start);
    await press(terminal, 'EraseEOF');
    terminal.conversation.type(text);
  }
  if (terminal.isIn3270Mode) keyboard.moveTo(cursor);
}

async function typeNotSign(terminal: ScriptedTerminal): Promise<undefined> {
  if (terminal.isInLineMode) {
    await type(terminal, [{ text: '^' }]);
    return;
  }
  failOnFaultyRecord(terminal);
  const { operator } = terminal.screen.state;
  if (!terminal.isConnected || operator.keyboardLocked) return;
  terminal.conversation.type('¬');
  if (operator.operatorError !== undefined) throw new ActionError('Keyboard locked');
}

function switching(name: 'monoCase' | 'reverseInputMode'): Action {
  return {
    takes: [0, 0],
    act: ({ options: { toggles } }) => {
      toggles.set(name, String(!toggles.isOn(name)));
    },
  };
}

const nothing: Action = { takes: [0, 0], act: () => undefined };

export const editingActions: ActionFamily = {
  CircumNot: { takes: [0, 0], act: typeNotSign },
  CursorSelect: { takes: [0, 0], act: select },
  DeleteField: { takes: [0, 0], act: (terminal) => pressWhereTyped(terminal, 'DeleteField') },
  EraseEOF: { takes: [0, 0], act: (terminal) => pressWhereTyped(terminal, 'EraseEOF') },
  DeleteWord: { takes: [0, 0], act: deleteWord },
  Flip: nothing,
  Key: {
    takes: [0, ANY_NUMBER],
    act: (terminal, parameters) => {
      for (const name of parameters) {
        const text = keyNamed(name);
        if (text === undefined) throw new ActionError(`Key(): Nonexistent or invalid name: ${name}`.trimEnd());
        failOnFaultyRecord(terminal);
        const { operator } = terminal.screen.state;
        // after an operator error, keys are ignored without failing
        if (!terminal.isConnected || operator.operatorError !== undefined) continue;
        terminal.conversation.type(typable(terminal, text).join(''));
        if (operator.operatorError !== undefined) throw new ActionError(LOCKED);
      }
    },
  },
  KeyboardDisable: {
    takes: [0, 1],
    act: (_, [how = 'true']) => {
      if (!['true', 'false', 'forceenable'].includes(how.toLowerCase())) {
        throw new ActionError('KeyboardDisable(): Parameter must be true, false or forceenable');
      }
    },
  },
  MonoCase: switching('monoCase'),
  NextWord: moving(nextWord),
  PasteString: paste,
  PreviousWord: moving(previousWord),
  RestoreInput: { takes: [0, 1], act: restoreInput },
  SaveInput: { takes: [0, 1], act: saveInput },
  TemporaryComposeMap: {
    takes: [0, 1],
    act: (_, [name]) => {
      if (name !== undefined) throw new ActionError(`TemporaryComposeMap: Cannot find composeMap "${name}"`);
    },
  },
  ToggleReverse: switching('reverseInputMode'),
};
