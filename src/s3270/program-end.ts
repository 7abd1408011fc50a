/** What a program that was started has come to. */
export interface ProgramEnd {
  /** Of both its outputs, in lines. */
  readonly lines: readonly string[];
  /** How it has failed; undefined: it has not. */
  readonly failure: string | undefined;
}
