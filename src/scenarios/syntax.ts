/**
 * The shapes of the scenario language after lexing and parsing, before meaning.
 * Source: reference/4: label, instruction, operands separated by commas; quoted strings with doubled quotes;
 * parenthesised lists; `KEYWORD=value`.
 */

/** A position in a source; line and column count from 1. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

/** An unquoted word such as `TO-LINE`, `1000`, `=WITH`. Upper-cased in `word`; as written in `text`. */
export interface WordOperand extends SourcePlace {
  readonly kind: 'word';
  readonly word: string;
  readonly text: string;
}

/** A quoted string, its quotes taken off and doubled quotes made single. */
export interface StringOperand extends SourcePlace {
  readonly kind: 'string';
  readonly text: string;
}

/** A parenthesised list, e.g. `(ELEMENT,'Fault')`. */
export interface ListOperand extends SourcePlace {
  readonly kind: 'list';
  readonly items: readonly Operand[];
}

/** `NAME=value`; the name is upper-cased. Where nothing follows the `=`, the value is an omitted operand. */
export interface KeywordOperand extends SourcePlace {
  readonly kind: 'keyword';
  readonly name: string;
  readonly value: Operand;
}

/** Nothing between two commas. */
interface OmittedOperand extends SourcePlace {
  readonly kind: 'omitted';
}

export type Operand = WordOperand | StringOperand | ListOperand | KeywordOperand | OmittedOperand;

/** One instruction of the source, e.g. `OUTPUT MAP$ BEGIN,WITH='a'`. */
export interface SourceInstruction extends SourcePlace {
  /** Upper-cased; undefined if the line begins with a blank. */
  readonly label: string | undefined;
  /** Upper-cased, e.g. `COPY$`. */
  readonly name: string;
  readonly operands: readonly Operand[];
}

/** When a scenario runs (reference 4.1). */
export const scenarioKinds = ['IDENTIFICATION', 'INITIAL', 'INPUT', 'OUTPUT', 'FINAL', 'SUBROUTINE'] as const;
export type ScenarioKind = (typeof scenarioKinds)[number];
/** The kinds that something outside of the module starts. */
export type StartedKind = Exclude<ScenarioKind, 'SUBROUTINE'>;
