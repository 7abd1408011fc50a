import type { IncomingMessage } from 'node:http';
import { englishPageWords, type PageWords } from './english-page-words.js';
import { frenchPageWords } from './french-page-words.js';
import { germanPageWords } from './german-page-words.js';
import { languageOf, type PageLanguage } from './page-language.js';

const catalogues: Readonly<Record<PageLanguage, PageWords>> = {
  en: englishPageWords,
  de: germanPageWords,
  fr: frenchPageWords,
};
const LANGUAGE_VARIABLE = '$LANGUAGE$';
/** `$WORDS-SIGN-ON$`: the words of that name. */
const WORDS_VARIABLE = /^\$WORDS-([A-Z0-9-]{1,64})\$$/;

/** Words for a page: what its template asks for by variables, in the language of who asks. */
export function pageWords(request: IncomingMessage): (variable: string) => readonly string[] | undefined {
  let language: PageLanguage | undefined;
  return (variable) => {
    if (!variable.startsWith('$')) return undefined;
    const name = variable.toUpperCase();
    if (name === LANGUAGE_VARIABLE) {
      language ??= languageOf(request);
      return [language];
    }
    const key = WORDS_VARIABLE.exec(name)?.[1];
    if (key === undefined) return undefined;
    language ??= languageOf(request);
    const catalogue = catalogues[language];
    return Object.hasOwn(catalogue, key) ? [catalogue[key as keyof PageWords]] : undefined;
  };
}

/** Words that the server itself puts into a page. */
export function wordsIn(language: PageLanguage): PageWords {
  return catalogues[language];
}
