import type { Area, ScreenChoice, TextCondition } from '../tn3270/screen/screen-condition.js';

interface EmptyText {
  /** Empty: who does not know the other members types nothing. */
  readonly txt: string;
}

interface TextStep {
  readonly txt: string;
}

/** The question for what is typed into a field that is not displayed. */
interface PromptStep extends EmptyText {
  readonly prompt: string;
}

/** The recorded screen that the steps up to the next key for the host are for. */
interface ScreenStep extends EmptyText {
  readonly screen: ScreenTexts;
}

/** The screens, one of which the steps up to the next key for the host are for. */
interface ExpectStep extends EmptyText {
  readonly expect: ScreenChoice;
  /** Seconds for it to come, once the host has freed the keyboard. */
  readonly within?: number;
}

/** Waits for a text. */
interface WaitStep extends EmptyText {
  readonly wait: TextCondition;
  readonly within: number;
}

export interface IfStep extends EmptyText {
  readonly if: ScreenChoice;
  readonly steps: readonly MacroStep[];
  readonly else?: readonly MacroStep[];
}

export interface RepeatStep extends EmptyText {
  /** How often at most. */
  readonly repeat: number;
  /** Looked at before each time. */
  readonly until?: ScreenChoice;
  readonly steps: readonly MacroStep[];
}

/** Asks for the value of a variable. */
interface AskStep extends EmptyText {
  readonly ask: string;
  readonly variable: string;
}

/** Takes the value of a variable from the screen. */
interface ReadStep extends EmptyText {
  readonly read: Area;
  readonly variable: string;
}

/** A text with variables in braces. */
interface TypeStep extends EmptyText {
  readonly type: string;
}

export type ObjectStep =
  | TextStep
  | PromptStep
  | ScreenStep
  | ExpectStep
  | WaitStep
  | IfStep
  | RepeatStep
  | AskStep
  | ReadStep
  | TypeStep;

/**
 * What a macro does: the name of a key, or an instruction (`move(pos)`, `copy(r1,c1,r2,c2)`, `paste(pos)`,
 * `paste(pos,rows,columns)`); the code of a character; a text; or an object of another kind.
 */
export type MacroStep = string | number | ObjectStep;

/** The members that say of what kind a step without a text is; without any of them it is one. */
export const stepKinds = ['screen', 'prompt', 'expect', 'wait', 'if', 'repeat', 'ask', 'read', 'type'] as const;

/** Without the members that mean nothing beside a text: files of others may have them. */
export function asMeant(step: ObjectStep): ObjectStep {
  return step.txt === '' || 'screen' in step || 'prompt' in step ? step : { txt: step.txt };
}

/** Steps within steps within steps. */
export const DEEPEST_STEP = 5;
/** How often a loop may go round. */
export const MOST_ROUNDS = 1000;
export const LONGEST_WAIT_SECONDS = 600;
export const USUAL_EXPECT_SECONDS = 5;
export const LONGEST_VARIABLE = 30;
export const LONGEST_QUESTION = 200;
export const variableName = /^[A-Za-z][A-Za-z0-9_]*$/;

/** A text that a screen has always: in one row, at a place that counts from 1. */
export interface ScreenText {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** What tells a screen from others: texts that all stand on it. Conditions of screen definitions have the same form. */
export type ScreenTexts = readonly ScreenText[];

export const MOST_SCREEN_TEXTS = 10;

/** As macro editors write it: row, column and text of each, `screen(1,2,"SIGNON",8,14,"Userid")`. */
export function screenStepText(texts: ScreenTexts): string {
  return `screen(${texts.map(({ row, column, text }) => `${row},${column},${JSON.stringify(text)}`).join(',')})`;
}

/** What is done to the screen other than by keys. Positions count from 0, rows and columns of `copy` from 1. */
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

/** `move`, `copy` or `paste` with as many numbers as it takes, and blanks that people write. Undefined where it is none. */
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

/** As macro files have it: without blanks. */
export function isInstruction(step: string): boolean {
  return !/\s/.test(step) && instructionOf(step) !== undefined;
}

export const moveTo = (position: number) => `move(${position})`;
export const isMove = (step: unknown) => typeof step === 'string' && instructionOf(step)?.does === 'move';
