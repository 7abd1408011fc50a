import type { MacroStep } from './macro-step.js';

/** `keycode` is that of KeyboardEvent. */
export interface HotKey {
  readonly key: 'ctrl' | 'alt';
  readonly keycode: number;
}

export interface Macro {
  readonly name: string;
  readonly rev?: number;
  readonly def: readonly MacroStep[];
  readonly mapping?: HotKey;
}

/** A macro file (specification 2.7). Unknown members are kept unchanged. */
export interface MacroSet {
  readonly macros: readonly Macro[];
  readonly desc?: string;
  readonly fmt?: number;
}

/** The format with hot keys. */
export const MACRO_FORMAT = 2;
export const NO_MACROS: MacroSet = { macros: [], fmt: MACRO_FORMAT };

export const MOST_MACRO_FILE_BYTES = 1024 * 1024;
export const MOST_MACROS = 1000;
export const MOST_STEPS = 10_000;
/** Lengths are in UTF-16 code units, as in browsers. */
export const LONGEST_MACRO_NAME = 100;
export const LONGEST_STEP_NAME = 64;
/** More than the positions of the largest screen, 62 x 160. Also the limit of a question. */
export const LONGEST_STEP_TEXT = 16_384;
export const LONGEST_DESCRIPTION = 4096;
