/**
 * Syntax of the scenario language after parsing. Source: reference/4: label, instruction, operands separated by commas;
 * quoted strings with doubled quotes; parenthesized lists; `KEYWORD=value`.
 */

/** Line and column count from 1. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

/** An unquoted word such as `TO-LINE`, `1000`, `=WITH`. `word` is in upper case, `text` as written. */
export interface WordOperand extends SourcePlace {
  readonly kind: 'word';
  readonly word: string;
  readonly text: string;
}

/** A quoted string without its quotes; doubled quotes are single. */
export interface StringOperand extends SourcePlace {
  readonly kind: 'string';
  readonly text: string;
}

/** A parenthesized list, e.g. `(ELEMENT,'Fault')`. */
export interface ListOperand extends SourcePlace {
  readonly kind: 'list';
  readonly items: readonly Operand[];
}

/** `NAME=value`, the name in upper case. If nothing follows the `=`, the value is an omitted operand. */
export interface KeywordOperand extends SourcePlace {
  readonly kind: 'keyword';
  readonly name: string;
  readonly value: Operand;
}

interface OmittedOperand extends SourcePlace {
  readonly kind: 'omitted';
}

export type Operand = WordOperand | StringOperand | ListOperand | KeywordOperand | OmittedOperand;

export interface SourceInstruction extends SourcePlace {
  /** In upper case; undefined if the line begins with a blank. */
  readonly label: string | undefined;
  readonly name: string;
  readonly operands: readonly Operand[];
}

/** The kind determines when a scenario runs (reference 4.1). */
export const scenarioKinds = ['IDENTIFICATION', 'INITIAL', 'INPUT', 'OUTPUT', 'FINAL', 'SUBROUTINE'] as const;
export type ScenarioKind = (typeof scenarioKinds)[number];
export type StartedKind = Exclude<ScenarioKind, 'SUBROUTINE'>;
