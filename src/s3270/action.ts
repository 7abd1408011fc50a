import type { ScriptTools } from './script-tools.js';
import type { ScriptedTerminal } from './scripted-terminal.js';

/** What actions have come to. */
export interface ActionsOutcome {
  /** Lines of data and of errors, in the order in which they came. */
  readonly lines: readonly AnswerLine[];
  readonly succeeded: boolean;
}

export interface AnswerLine {
  readonly text: string;
  readonly isError: boolean;
}

/** Lines of data, where the action gives some; an outcome where it carries out others. */
export type ActionData = readonly string[] | ActionsOutcome | undefined;

/** The script that an action stands in. */
export interface ScriptCaller {
  /** Carries out the actions of one line, and their errors are those of the script. */
  carryOut(line: string): Promise<ActionsOutcome>;
  /** The machine, as far as this script may use it. */
  readonly tools: ScriptTools<ScriptedTerminal>;
  /** Nothing more is read from the script. */
  close(): void;
  readonly actionNames: readonly string[];
  /** The script and what it does, as `Query(Tasks)` tells it. */
  readonly tasks: readonly string[];
}

export interface Action {
  /** How many parameters it takes: the least and the most. */
  readonly takes: readonly [least: number, most: number];
  /** The name that a wrong number is told with, where it is another's. */
  readonly countedAs?: string;
  readonly act: (
    terminal: ScriptedTerminal,
    parameters: readonly string[],
    caller: ScriptCaller,
  ) => ActionData | Promise<ActionData>;
}

/** The most parameters of an action that takes as many as are given. */
export const ANY_NUMBER = Number.POSITIVE_INFINITY;

/** Actions by their names, as they are written in full. */
export type ActionFamily = Readonly<Record<string, Action>>;

/** A whole number in decimal or, behind `0x`, in hexadecimal; undefined where it is none. */
export function numberOf(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
