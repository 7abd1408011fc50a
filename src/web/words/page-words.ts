import type { IncomingMessage } from 'node:http';
import { acceptedRanges } from '../http/accepted-ranges.js';
import { englishPageWords, type PageWords } from './english-page-words.js';
import { frenchPageWords } from './french-page-words.js';
import { germanPageWords } from './german-page-words.js';

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

/** Languages of the pages; the first one where a browser wants none of them. */
const pageLanguages = ['en', 'de', 'fr'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** Set by the script of a page whose user has chosen a language; what it says is no secret. */
const LANGUAGE_COOKIE = 'sallyport-language';

/** What the user has chosen, else the first language of his browser that the pages have, else English. */
export function languageOf({ headers }: IncomingMessage): PageLanguage {
  return chosenLanguage(headers.cookie ?? '') ?? wantedLanguage(headers['accept-language'] ?? '') ?? pageLanguages[0];
}

function chosenLanguage(cookies: string): PageLanguage | undefined {
  const chosen = new RegExp(`(?:^|;)\\s*${LANGUAGE_COOKIE}=([a-z]{2})\\s*(?:;|$)`).exec(cookies)?.[1];
  return pageLanguages.find((language) => language === chosen);
}

function wantedLanguage(accepted: string): PageLanguage | undefined {
  let best: { readonly language: PageLanguage; readonly quality: number } | undefined;
  for (const { name, quality } of acceptedRanges(accepted)) {
    const [primary] = name.split('-', 1);
    const language = pageLanguages.find((one) => one === primary);
    if (language !== undefined && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language;
}
