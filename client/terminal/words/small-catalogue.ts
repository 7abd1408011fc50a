/** The few words of a page that loads no catalogue, in each language that there is. */
type SmallCatalogue<Words> = Readonly<Record<'en' | 'de' | 'fr', Words>>;

/** In the language that a page says of an element. */
export function inLanguageOf<Words>(element: Element, words: SmallCatalogue<Words>): Words {
  const [language] = element.closest<HTMLElement>('[lang]')?.lang.toLowerCase().split('-') ?? [];
  return language === 'de' || language === 'fr' ? words[language] : words.en;
}
