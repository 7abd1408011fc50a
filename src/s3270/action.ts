import type { ScriptTools } from './script-tools.js';
import type { ScriptedTerminal } from './scripted-terminal.js';

/** Result of one or more actions. */
export interface ActionsOutcome {
  /** Data and errors in their original order. */
  readonly lines: readonly AnswerLine[];
  readonly succeeded: boolean;
}

export interface AnswerLine {
  readonly text: string;
  readonly isError: boolean;
}

/** Lines of data; an outcome if the action executes other actions. */
export type ActionData = readonly string[] | ActionsOutcome | undefined;

/** The script that executes an action. */
export interface ScriptCaller {
  /** Executes a line of actions for this script. */
  carryOut(line: string): Promise<ActionsOutcome>;
  /** Access to the machine, with the rights of this script. */
  readonly tools: ScriptTools<ScriptedTerminal>;
  /** Ends the input of the script. */
  close(): void;
  readonly actionNames: readonly string[];
  /** The script and its current action, for `Query(Tasks)`. */
  readonly tasks: readonly string[];
}

export interface Action {
  /** Least and greatest number of parameters. */
  readonly takes: readonly [least: number, most: number];
  /** Name of the action in errors about the number of parameters, if it differs. */
  readonly countedAs?: string;
  readonly act: (
    terminal: ScriptedTerminal,
    parameters: readonly string[],
    caller: ScriptCaller,
  ) => ActionData | Promise<ActionData>;
}

/** For actions without an upper limit. */
export const ANY_NUMBER = Number.POSITIVE_INFINITY;

/** Actions by their full names. */
export type ActionFamily = Readonly<Record<string, Action>>;

/** A decimal integer, or a hexadecimal one after `0x`; undefined if it is neither. */
export function numberOf(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
