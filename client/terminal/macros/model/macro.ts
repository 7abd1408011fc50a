/**
 * What a macro does: the name of a key or an instruction, a character code, a text, or the question for what is typed into a
 * field that is not displayed, beside which stands an empty text for who does not know it.
 */
export type MacroStep = string | number | { readonly txt: string; readonly prompt?: string };

/** `keycode` is that of KeyboardEvent. */
export interface HotKey {
  readonly key: 'ctrl' | 'alt';
  readonly keycode: number;
}

/** Members that nobody here knows stay with it. */
export interface Macro {
  readonly name: string;
  readonly rev?: number;
  readonly def: readonly MacroStep[];
  readonly mapping?: HotKey;
}

/** A macro file (specification 2.7). */
export interface MacroSet {
  readonly macros: readonly Macro[];
  readonly fmt?: number;
}

/** With hot keys. */
export const MACRO_FORMAT = 2;
export const NO_MACROS: MacroSet = { macros: [], fmt: MACRO_FORMAT };

export const MOST_MACROS = 1_000;
export const MOST_STEPS = 10_000;
export const MOST_FILE_BYTES = 1024 * 1024;
/** In UTF-16 units, as the server counts them. */
export const LONGEST_NAME = 100;
export const LONGEST_STEP_NAME = 64;
export const LONGEST_TEXT = 16_384;
