/** Texts of a page that loads no catalogue, in all languages. */
type SmallCatalogue<Words> = Readonly<Record<'en' | 'de' | 'fr', Words>>;

/** The texts in the language of an element (`lang`). */
export function inLanguageOf<Words>(element: Element, words: SmallCatalogue<Words>): Words {
  const [language] = element.closest<HTMLElement>('[lang]')?.lang.toLowerCase().split('-') ?? [];
  return language === 'de' || language === 'fr' ? words[language] : words.en;
}
