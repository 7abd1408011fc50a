/** All texts in one language, with its plural forms. */
export interface Catalogue {
  /** Value of the `lang` attribute. */
  readonly language: string;
  readonly words: Readonly<Record<string, string>>;
}
