/** All words, in one language. Of plurals there are the forms that the language has. */
export interface Catalogue {
  /** As `lang` of a page has it. */
  readonly language: string;
  readonly words: Readonly<Record<string, string>>;
}
