import type { SourcePlace } from '../syntax.js';
import type { NumericFault } from './numeric-text.js';

/** An area, as logs and traces name it. */
export interface NumericArea {
  /** The element, attribute or variable. */
  readonly name: string;
  /** Undefined: as long as its value. */
  readonly length: number | undefined;
}

/** The variables of the scenario run, as a mapping needs them. */
export interface MappingPort {
  /** The current (first) value; undefined if there is no such variable. */
  valueOf(variable: string): string | undefined;
  /** Adds a value at the end of the variable's list. */
  append(variable: string, value: string): void;
  /** Makes this the only value. */
  replace(variable: string, value: string): void;
  /** Text of the document as the record can hold it: one substitute for each character that its code page lacks. */
  storable(text: string): string;
  /** The digits in an area are not the number in the document. */
  numericFault(area: NumericArea, fault: NumericFault): void;
}

/** What a mapping asks of the interpreter in its middle (MAP$ EXECUTE); it goes on when it is resumed. */
export interface SubroutineCall extends SourcePlace {
  readonly execute: string;
}

/** A mapping, or a part of one; it can rest where it yields nothing. */
export type Mapping<Result = MappingOutcome> = Generator<SubroutineCall | undefined, Result, void>;

export type MappingOutcome =
  /** The record; empty if the mapping is to variables. */
  | { readonly kind: 'mapped'; readonly record: string }
  /** The place of the MAP$ ABEND or ABEND-AT that was reached. */
  | { readonly kind: 'abended'; readonly at: SourcePlace };
