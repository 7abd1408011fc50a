import { aplByteOf } from '../../codepage/apl-character-set.js';
import { isForHost } from '../../conversation/act.js';
import { type ActionFamily, ANY_NUMBER, type AnswerLine, numberOf } from '../action.js';
import { ActionError } from '../action-error.js';
import { cursorWithinMargin } from '../margin.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { readTypedString, type TypedPiece } from '../typed-string.js';

export const LOCKED = 'Keyboard locked';
export const OPERATOR_ERROR = 'Operator error';

/** Actions that press the key of the same name. */
const keyNames = [
  'Attn',
  'BackSpace',
  'BackTab',
  'Clear',
  'Delete',
  'Down',
  'Enter',
  'Erase',
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

/** Presses a key; after one that goes to the host it waits until the host gives the keyboard back. */
export async function press(terminal: ScriptedTerminal, key: string): Promise<undefined> {
  const { conversation } = terminal;
  // a terminal without a host takes every key, and does nothing with it
  if (!terminal.isConnected) return;
  if (key === 'Attn') {
    if (terminal.isIn3270Mode) conversation.attention();
  } else if (key === 'SysReq') conversation.systemRequest();
  else {
    const outcome = conversation.press(key);
    if (outcome !== 'done' && outcome !== 'typedAhead' && outcome !== 'dropped') throw new ActionError(LOCKED);
  }
  if (isForHost(key) && terminal.options.toggles.isOn('aidWait')) await terminal.unlocked();
}

/** What of a text can be typed: a field takes no control characters, and none that its code page does not have. */
export function typable({ kind: { codePage }, isInLineMode }: ScriptedTerminal, text: string): string {
  if (isInLineMode) return text;
  return [...text]
    .filter((character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      const isControl = codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
      return !isControl && (codePage.encodes(codePoint) || aplByteOf(codePoint) >= 0);
    })
    .join('');
}

/** Types what a string holds, and presses its keys, up to what cannot be done; returns what is wrong in it. @throws ActionError */
export async function type(terminal: ScriptedTerminal, pieces: readonly TypedPiece[]): Promise<readonly string[]> {
  if (!terminal.isConnected) throw new ActionError('Canceled');
  const { space, operator } = terminal.screen.state;
  if (operator.operatorError !== undefined) throw new ActionError(OPERATOR_ERROR);
  const margin = space.cursor % space.columns;
  const faults: string[] = [];
  for (const piece of pieces) {
    if ('fault' in piece) faults.push(piece.fault);
    else if ('key' in piece) await press(terminal, piece.key);
    else terminal.conversation.type(piece.isCode ? piece.text : typable(terminal, piece.text));
    if (!terminal.isConnected) throw new ActionError('Canceled');
    if (operator.operatorError !== undefined || operator.programCheck !== undefined) {
      throw new ActionError(`${LOCKED}\n${OPERATOR_ERROR}`);
    }
  }
  // the cursor ends no further to the left than it began, whatever has led it there; but where the host has put it, it stays
  const last = pieces.at(-1);
  const isWithHost = last !== undefined && 'key' in last && isForHost(last.key);
  if (!isWithHost) space.cursor = cursorWithinMargin(space, margin);
  return faults;
}

function numbered(name: 'PF' | 'PA', most: number): ActionFamily {
  return {
    [name]: {
      takes: [1, 1],
      act: (terminal, [written = '']) => {
        const number = numberOf(written);
        if (number === undefined || number < 1 || number > most) {
          throw new ActionError(`${name}(): Invalid argument '${written}'`);
        }
        return press(terminal, `${name}${number}`);
      },
    },
  };
}

/** Puts the cursor on a row and column, or on a position of the screen; what is outside of it is taken to its edge. */
function moveCursor(base: 0 | 1): ActionFamily[string] {
  return {
    takes: [1, 2],
    act: (terminal, parameters) => {
      const { rows, columns, positions } = terminal.screen.state.space;
      const [first = 0, second = 0] = parameters.map((parameter) => numberOf(parameter) ?? 0);
      const within = (value: number, size: number) => Math.max(0, Math.min(value, size - 1));
      // an offset counts from 0 in both
      const target =
        parameters.length === 1
          ? within(first, positions)
          : within(first - base, rows) * columns + within(second - base, columns);
      // unlike a cursor key it does not lead out of an operator error
      if (terminal.screen.state.operator.operatorError === undefined) terminal.screen.keyboard.moveTo(target, true);
      return undefined;
    },
  };
}

/** Whether an error fails the action is told it, which makes no difference to a script: it always does. */
function faultTelling(key: 'Dup' | 'FieldMark'): ActionFamily[string] {
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
  ...numbered('PA', 3),
  ...numbered('PF', 24),
  Dup: faultTelling('Dup'),
  FieldMark: faultTelling('FieldMark'),
  MoveCursor: moveCursor(0),
  MoveCursor1: moveCursor(1),
  End: { takes: [0, 0], act: (terminal) => press(terminal, 'FieldEnd') },
  ToggleInsert: {
    takes: [0, 0],
    act: (terminal) => {
      const { operator } = terminal.screen.state;
      if (terminal.isIn3270Mode) operator.insertMode = !operator.insertMode;
      return undefined;
    },
  },
  HexString: {
    takes: [0, ANY_NUMBER],
    act: (terminal, parameters) => {
      const digits = parameters.map((parameter) => parameter.replace(/^0x/i, '')).join('');
      if (digits === '') return undefined;
      if (!/^[0-9a-f]*$/i.test(digits)) throw new ActionError('HexString(): Invalid hex character');
      if (digits.length % 2 !== 0) throw new ActionError('HexString(): Odd number of nybbles');
      const { codePage } = terminal.kind;
      return type(terminal, [{ text: codePage.decode(Buffer.from(digits, 'hex')), isCode: true }]);
    },
  },
  String: {
    takes: [0, ANY_NUMBER],
    act: async (terminal, parameters) => {
      const lines: AnswerLine[] = [];
      for (const parameter of parameters) {
        if (parameter === '') continue;
        const pieces = readTypedString(parameter, terminal.kind.codePage);
        if (pieces.kind === 'fault') throw new ActionError(`String(): ${pieces.fault}`);
        const faults = await type(terminal, pieces.value);
        lines.push(...faults.map((fault) => ({ text: `String(): ${fault}`, isError: true })));
      }
      return { lines, succeeded: true };
    },
  },
};
