import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { isOneCodePoint, typedCharacters } from '../../lib/text/typed-characters.js';
import { aplByteOf } from '../../tn3270/codepage/apl-character-set.js';
import type { CodePage } from '../../tn3270/codepage/code-page.js';
import { isForHost } from '../../tn3270/conversation/act.js';
import { formatControls } from '../../tn3270/datastream/orders.js';
import { operatorErrors } from '../../tn3270/keyboard/operator-errors.js';
import {
  type Action,
  type ActionFamily,
  type ActionsOutcome,
  ANY_NUMBER,
  type AnswerLine,
  numberOf,
} from '../action.js';
import { ActionError } from '../action-error.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

export const LOCKED = 'Keyboard locked';
export const OPERATOR_ERROR = 'Operator error';

const keyNames = [
  'Attn',
  'BackTab',
  'Clear',
  'Down',
  'Enter',
  'EraseInput',
  'FieldEnd',
  'Home',
  'Insert',
  'Left',
  'Left2',
  'Newline',
  'Reset',
  'Right',
  'Right2',
  'SysReq',
  'Tab',
  'Up',
] as const;

export async function press(terminal: ScriptedTerminal, key: string): Promise<undefined> {
  const { conversation, screen } = terminal;
  if (!terminal.isConnected) return;
  if (key === 'Attn') {
    if (terminal.isIn3270Mode) conversation.attention();
  } else if (key === 'SysReq') {
    if (screen.partner === 'unbound') return;
    conversation.systemRequest();
  } else {
    if (key !== 'Reset') failOnFaultyRecord(terminal);
    const { operator } = screen.state;
    const isReset = key === 'Reset' && terminal.isIn3270Mode && operator.waitingForHost;
    // as in s3270, Reset unlocks the keyboard even if the host has locked it, or only discards keys typed ahead
    if (isReset && screen.keyboard.typedAhead === 0) {
      operator.waitingForHost = false;
      operator.hostHasTurn = false;
    }
    const outcome = conversation.press(key);
    const isTaken = outcome === 'done' || outcome === 'typedAhead' || outcome === 'dropped';
    // a key that network services do not support locks the keyboard, but does not fail
    if (!isTaken && operator.operatorError !== operatorErrors.minusFunction) throw new ActionError(LOCKED);
    if (outcome === 'typedAhead') return;
  }
  if (isForHost(key) && terminal.options.toggles.isOn('aidWait')) await terminal.unlocked();
}

/**
 * After a malformed record, no input is possible until Reset. Deviation: s3270 continues with the part of the record
 * that it has drawn.
 * @throws ActionError with the reason
 */
export function failOnFaultyRecord({ screen }: ScriptedTerminal): void {
  const { programCheck } = screen.state.operator;
  if (programCheck === undefined) return;
  throw new ActionError(`${LOCKED}: the host sent a faulty record (X PROG ${programCheck}); Reset() unlocks it`);
}

export function typable(terminal: ScriptedTerminal, text: string): readonly string[] {
  const { kind, isInLineMode } = terminal;
  if (isInLineMode) return [...text.replaceAll('\0', '')];
  return charactersOf(terminal, text).filter((character) => {
    if (!isOneCodePoint(character)) return true;
    const codePoint = character.codePointAt(0) ?? 0;
    const isControl = codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
    return !isControl && (kind.codePage.encodes(codePoint) || aplByteOf(codePoint) >= 0);
  });
}

/** Splits a text into characters of the code page, some of which have two code points. */
export function charactersOf({ kind: { codePage } }: ScriptedTerminal, text: string): readonly string[] {
  return typedCharacters(text, (sequence) => (codePage.doubleByte?.encodePair(sequence) ?? 0) !== 0);
}

/** Types a character without skipping fields. Characters at positions outside input fields are omitted. */
export function pasteCharacter(terminal: ScriptedTerminal, character: string): void {
  const { space, operator } = terminal.screen.state;
  const at = space.cursor;
  if (!space.canBeTypedAt(at)) {
    terminal.screen.keyboard.moveTo(space.next(at));
    return;
  }
  terminal.conversation.type(character);
  const isSkipped =
    !isReversed(terminal) && operator.operatorError === undefined && space.isFieldAttribute(space.next(at));
  if (isSkipped) terminal.screen.keyboard.moveTo(space.next(at));
}

/** @returns faults of the text */
export async function type(terminal: ScriptedTerminal, pieces: readonly TypedPiece[]): Promise<readonly string[]> {
  if (!terminal.isConnected) throw new ActionError('Canceled');
  const { space, operator } = terminal.screen.state;
  failOnFaultyRecord(terminal);
  if (operator.operatorError !== undefined) throw new ActionError(OPERATOR_ERROR);
  await terminal.waitUntil(() => !operator.awaitsFirstWrite);
  if (!terminal.isConnected) throw new ActionError('Canceled');
  const margin = space.cursor % space.columns;
  const faults: string[] = [];
  const fail = () => {
    failOnFaultyRecord(terminal);
    if (operator.operatorError === undefined) return;
    throw new ActionError(`${LOCKED}\n${OPERATOR_ERROR}`);
  };
  for (const [at, piece] of pieces.entries()) {
    if ('fault' in piece) faults.push(piece.fault);
    else if ('key' in piece) await press(terminal, piece.key);
    else if (piece.isCode && !terminal.isInLineMode) pasteCharacter(terminal, piece.text.replace('\0', ' '));
    else {
      const characters = [...typable(terminal, piece.text)];
      const last = at === pieces.length - 1 ? characters.pop() : undefined;
      terminal.conversation.type(characters.join(''));
      if (last !== undefined) {
        fail();
        terminal.conversation.type(last);
        // the margin also applies if the character is rejected
        space.moveToMargin(margin);
      }
    }
    if (!terminal.isConnected) throw new ActionError('Canceled');
    fail();
  }
  // move the cursor back to the margin, unless the last key sent the screen to the host
  const last = pieces.at(-1);
  const isWithHost = last !== undefined && 'key' in last && isForHost(last.key);
  if (!isWithHost) space.moveToMargin(margin);
  return faults;
}

function isReversed({ isIn3270Mode, options: { toggles } }: ScriptedTerminal): boolean {
  return isIn3270Mode && toggles.isOn('reverseInputMode');
}

/**
 * In reverse input mode, text is inserted before the cursor, so all deleting keys delete the character at the cursor.
 */
function deleting(key: 'BackSpace' | 'Delete' | 'Erase'): Action {
  return {
    takes: [0, 0],
    act: async (terminal) => {
      if (!isReversed(terminal)) return press(terminal, key);
      await press(terminal, 'Delete');
      const { keyboard, state } = terminal.screen;
      const before = state.space.previous(state.space.cursor);
      if (key === 'Delete' && !state.space.isFieldAttribute(before)) keyboard.moveTo(before, true);
    },
  };
}

function numbered(name: 'PF' | 'PA', most: number): Action {
  return {
    takes: [1, 1],
    act: (terminal, [written = '']) => {
      const number = numberOf(written);
      if (number === undefined || number < 1 || number > most) {
        throw new ActionError(`${name}(): Invalid argument '${written}'`);
      }
      return press(terminal, `${name}${number}`);
    },
  };
}

function leadingNumber(text: string): number {
  return Number.parseInt(text, 10) || 0;
}

function moveCursor(base: 0 | 1): Action {
  return {
    takes: [1, 2],
    act: (terminal, parameters) => {
      const { space } = terminal.screen.state;
      const { rows, columns, positions } = space;
      const [first = 0, second = 0] = parameters.map(leadingNumber);
      const within = (value: number, size: number) => Math.max(0, Math.min(value, size - 1));
      // offsets count from 0 in both actions
      const target =
        parameters.length === 1
          ? within(first, positions)
          : within(first - base, rows) * columns + within(second - base, columns);
      failOnFaultyRecord(terminal);
      // unlike a cursor key, this does not clear an operator error
      if (terminal.screen.state.operator.operatorError !== undefined) return undefined;
      // the target may be the right half of a double-byte character
      if (terminal.screen.keyboard.moveTo(target, true) === 'done') space.cursor = target;
    },
  };
}

/** The parameter has no effect in scripts: an error always fails the action. */
function faultTelling(key: 'Dup' | 'FieldMark'): Action {
  return {
    takes: [0, 1],
    act: (terminal, [how]) => {
      if (how !== undefined && !['failonerror', 'nofailonerror'].includes(how.toLowerCase())) {
        throw new ActionError(`${key}(): Parameter must be failonerror or nofailonerror`);
      }
      return press(terminal, key);
    },
  };
}

export const keyActions: ActionFamily = {
  ...Object.fromEntries(
    keyNames.map((key) => [key, { takes: [0, 0] as const, act: (terminal: ScriptedTerminal) => press(terminal, key) }]),
  ),
  BackSpace: deleting('BackSpace'),
  Delete: deleting('Delete'),
  Erase: deleting('Erase'),
  PA: numbered('PA', 3),
  PF: numbered('PF', 24),
  Dup: faultTelling('Dup'),
  FieldMark: faultTelling('FieldMark'),
  MoveCursor: moveCursor(0),
  MoveCursor1: moveCursor(1),
  End: { takes: [0, 0], act: (terminal) => press(terminal, terminal.isInLineMode ? 'End' : 'FieldEnd') },
  ToggleInsert: {
    takes: [0, 0],
    act: (terminal) => {
      const { operator } = terminal.screen.state;
      if (terminal.isIn3270Mode) operator.insertMode = !operator.insertMode;
    },
  },
  HexString: {
    takes: [0, ANY_NUMBER],
    act: (terminal, parameters) => {
      const digits = parameters.map((parameter) => parameter.replace(/^0x/i, '')).join('');
      if (!/^[0-9a-f]*$/i.test(digits)) throw new ActionError('HexString(): Invalid hex character');
      if (digits.length % 2 !== 0) throw new ActionError('HexString(): Odd number of nybbles');
      return typeStrings(terminal, [textOfHex(digits)]);
    },
  },
  String: { takes: [0, ANY_NUMBER], act: typeStrings },
};

function textOfHex(digits: string): string {
  const text = Buffer.from(digits, 'hex').toString('utf8');
  return text.includes('\ufffd') ? '' : text.replace(/\0[\s\S]*/, '');
}

async function typeStrings(terminal: ScriptedTerminal, strings: readonly string[]): Promise<ActionsOutcome> {
  const lines: AnswerLine[] = [];
  for (const string of strings) {
    if (string === '') continue;
    const pieces = readTypedString(string, terminal.kind.codePage);
    if (pieces.kind === 'fault') throw new ActionError(`String(): ${pieces.fault}`);
    const faults = await type(terminal, pieces.value);
    lines.push(...faults.map((fault) => ({ text: `String(): ${fault}`, isError: true })));
  }
  return { lines, succeeded: true };
}

/** Steps of `String`. A fault is reported, and typing continues. */
type TypedPiece =
  | { readonly text: string; readonly isCode?: boolean }
  | { readonly key: string }
  | { readonly fault: string };

const keys: Readonly<Record<string, string>> = {
  b: 'Left',
  f: 'Clear',
  n: 'Enter',
  r: 'Newline',
  t: 'Tab',
  T: 'BackTab',
};
const keysOfControls: Readonly<Record<string, string>> = {
  '\b': 'Left',
  '\f': 'Clear',
  '\n': 'Enter',
  '\r': 'Newline',
  '\t': 'Tab',
};
const faults: Readonly<Record<string, string>> = {
  a: 'Bell not supported',
  e: 'Missing hex digits after \\e',
  p: 'Unknown character after \\p',
  u: 'Missing hex digits after \\x',
  v: 'Vertical tab not supported',
  x: 'Missing hex digits after \\x',
};

const MOST_CHARACTERS = 100_000;
const escapes =
  /\\(?:p(?<kind>[af])(?<number>\d{0,2})|[xu](?<unit>[0-9a-fA-F]{1,4})|e(?<code>[0-9a-fA-F]{1,4})|(?<octal>[0-7]{1,3})|(?<letter>[\s\S]))/y;
const begunEscape = /^\\(?<key>p[af])?[exup]?$/;

/**
 * Reads a text with escapes: `\n` Enter, `\t` Tab, `\pf3`, `\pa1`; `\x41` and `\u0041` code points in hexadecimal,
 * `\101` in octal; `\ec1` an EBCDIC code. EBCDIC codes of more than two digits are double-byte codes.
 */
export function readTypedString(written: string, codePage: CodePage): ReadOutcome<readonly TypedPiece[]> {
  if (written.length > MOST_CHARACTERS) return readFault(`a string has at most ${MOST_CHARACTERS} characters`);
  const pieces: TypedPiece[] = [];
  let text = '';
  const put = (piece: TypedPiece) => {
    if (text !== '') pieces.push({ text });
    text = '';
    pieces.push(piece);
  };
  for (let at = 0; at < written.length; ) {
    const character = written[at] as string;
    if (character !== '\\') {
      const key = keysOfControls[character];
      if (key === undefined) text += character;
      else put({ key });
      at++;
      continue;
    }
    const begun = begunEscape.exec(written.slice(at, at + 4));
    if (begun !== null) {
      if (begun.groups?.key === undefined) put({ fault: 'Missing data after \\' });
      break;
    }
    escapes.lastIndex = at;
    const { 0: whole = '', groups = {} } = escapes.exec(written) ?? {};
    at += whole.length;
    const { kind, number, unit, code, octal, letter = '' } = groups;
    if (kind !== undefined) put(numberedKey(kind, number ?? ''));
    else if (unit !== undefined) text += String.fromCodePoint(Number.parseInt(unit, 16));
    else if (octal !== undefined) text += String.fromCodePoint(Number.parseInt(octal, 8));
    else if (code !== undefined) put({ text: characterOf(Number.parseInt(code, 16), codePage), isCode: true });
    else {
      const key = keys[letter];
      const fault = faults[letter];
      if (key !== undefined) put({ key });
      else if (fault !== undefined) put({ fault });
      else text += letter;
    }
  }
  if (text !== '') pieces.push({ text });
  return readAs(pieces);
}

function numberedKey(kind: string, number: string): TypedPiece {
  if (number === '') return { fault: `Unknown character after \\p${kind}` };
  const name = `P${kind.toUpperCase()}`;
  const isKey = Number(number) >= 1 && Number(number) <= (kind === 'f' ? 24 : 3);
  return isKey ? { key: `${name}${Number(number)}` } : { fault: `Unknown ${name} key ${Number(number)}` };
}

function characterOf(code: number, codePage: CodePage): string {
  const { shiftOut, shiftIn } = formatControls;
  if (code > 0xff && codePage.doubleByte === undefined) return '';
  return codePage.decode(code > 0xff ? Uint8Array.of(shiftOut, code >> 8, code & 0xff, shiftIn) : Uint8Array.of(code));
}
