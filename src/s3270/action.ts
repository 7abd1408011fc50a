import type { ScriptedTerminal } from './scripted-terminal.js';

/** Lines of data, where the action gives some. */
export type ActionData = readonly string[] | undefined;

export interface Action {
  /** How many parameters it takes: the least and the most. */
  readonly takes: readonly [least: number, most: number];
  readonly act: (terminal: ScriptedTerminal, parameters: readonly string[]) => ActionData | Promise<ActionData>;
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
