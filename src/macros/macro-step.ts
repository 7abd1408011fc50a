import type { Area, ScreenChoice, TextCondition } from '../tn3270/screen/screen-condition.js';

interface TextStep {
  /** Empty in all other steps, so that programs that do not know their members type nothing. */
  readonly txt: string;
}

export interface IfStep extends TextStep {
  readonly if: ScreenChoice;
  readonly steps: readonly MacroStep[];
  readonly else?: readonly MacroStep[];
}

export interface RepeatStep extends TextStep {
  readonly repeat: number;
  /** Checked before each round. */
  readonly until?: ScreenChoice;
  readonly steps: readonly MacroStep[];
}

export type ObjectStep =
  | TextStep
  /** Question for the content of a nondisplay field. */
  | (TextStep & { readonly prompt: string })
  /** Recorded screen on which the steps up to the next host key are valid. */
  | (TextStep & { readonly screen: ScreenTexts })
  /**
   * Screens, one of which must appear before the steps up to the next host key. `within`: seconds to wait for a screen
   * after the host has unlocked the keyboard.
   */
  | (TextStep & { readonly expect: ScreenChoice; readonly within?: number })
  | (TextStep & { readonly wait: TextCondition; readonly within: number })
  | IfStep
  | RepeatStep
  | (TextStep & { readonly ask: string; readonly variable: string })
  | (TextStep & { readonly read: Area; readonly variable: string })
  /** Types a text with variables in braces. */
  | (TextStep & { readonly type: string });

/**
 * A step of a macro: the name of a key, or an instruction (`move(pos)`, `copy(r1,c1,r2,c2)`, `paste(pos)`,
 * `paste(pos,rows,columns)`); the code of a character; a text; or an object of another kind.
 */
export type MacroStep = string | number | ObjectStep;

/** Members that determine the kind of a step without text; a step with none of them is a text. */
export const stepKinds = ['screen', 'prompt', 'expect', 'wait', 'if', 'repeat', 'ask', 'read', 'type'] as const;

/** Removes members that have no meaning together with a text; files of other programs may contain them. */
export function asMeant(step: ObjectStep): ObjectStep {
  return step.txt === '' || 'screen' in step || 'prompt' in step ? step : { txt: step.txt };
}

export const DEEPEST_STEP = 5;
export const MOST_ROUNDS = 1000;
export const LONGEST_WAIT_SECONDS = 600;
export const USUAL_EXPECT_SECONDS = 5;
export const LONGEST_VARIABLE = 30;
export const LONGEST_QUESTION = 200;
export const variableName = /^[A-Za-z][A-Za-z0-9_]*$/;

/** A fixed text of a screen, in one row; row and column count from 1. */
export interface ScreenText {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** Texts that identify a screen; all of them must match. Conditions of screen definitions have the same form. */
export type ScreenTexts = readonly ScreenText[];

export const MOST_SCREEN_TEXTS = 10;

/** Notation of macro editors: row, column and text of each, `screen(1,2,"SIGNON",8,14,"Userid")`. */
export function screenStepText(texts: ScreenTexts): string {
  return `screen(${texts.map(({ row, column, text }) => `${row},${column},${JSON.stringify(text)}`).join(',')})`;
}

/** Positions count from 0, rows and columns of `copy` from 1. */
export type Instruction =
  | { readonly does: 'move'; readonly position: number }
  | {
      readonly does: 'copy';
      readonly startRow: number;
      readonly startColumn: number;
      readonly endRow: number;
      readonly endColumn: number;
    }
  | { readonly does: 'paste'; readonly position: number; readonly rows?: number; readonly columns?: number };

const form = /^(move|copy|paste)\s*\(\s*(\d{1,5}(?:\s*,\s*\d{1,5})*)\s*\)$/;

/** Reads `move`, `copy` or `paste`, also with blanks; undefined for any other text. */
export function instructionOf(text: string): Instruction | undefined {
  const [, does, list = ''] = form.exec(text) ?? [];
  const numbers = list.split(',').map(Number);
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers;
  const takes = (count: number) => numbers.length === count;
  if (does === 'move' && takes(1)) return { does, position: first };
  if (does === 'copy' && takes(4)) {
    return { does, startRow: first, startColumn: second, endRow: third, endColumn: fourth };
  }
  if (does === 'paste' && takes(1)) return { does, position: first };
  if (does === 'paste' && takes(3)) return { does, position: first, rows: second, columns: third };
  return undefined;
}

/** True for the form in macro files, which has no blanks. */
export function isInstruction(step: string): boolean {
  return !/\s/.test(step) && instructionOf(step) !== undefined;
}

export const moveTo = (position: number) => `move(${position})`;
export const isMove = (step: unknown) => typeof step === 'string' && instructionOf(step)?.does === 'move';
