import type { ScriptTools } from './script-tools.js';
import type { ScriptedTerminal } from './scripted-terminal.js';

export interface ActionsOutcome {
  readonly lines: readonly AnswerLine[];
  readonly succeeded: boolean;
}

export interface AnswerLine {
  readonly text: string;
  readonly isError: boolean;
}

/** Lines of data; an outcome if the action executes other actions. */
export type ActionData = readonly string[] | ActionsOutcome | undefined;

export interface ScriptCaller {
  carryOut(line: string): Promise<ActionsOutcome>;
  readonly tools: ScriptTools<ScriptedTerminal>;
  close(): void;
  readonly actionNames: readonly string[];
  /** The script and its current action, for `Query(Tasks)`. */
  readonly tasks: readonly string[];
}

export interface Action {
  readonly takes: readonly [least: number, most: number];
  /** Name of the action in errors about the number of parameters, if it differs. */
  readonly countedAs?: string;
  readonly act: (
    terminal: ScriptedTerminal,
    parameters: readonly string[],
    caller: ScriptCaller,
  ) => ActionData | void | Promise<ActionData> | Promise<void>;
}

export const ANY_NUMBER = Number.POSITIVE_INFINITY;

export type ActionFamily = Readonly<Record<string, Action>>;

export function numberOf(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
