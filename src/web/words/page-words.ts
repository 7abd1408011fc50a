import type { IncomingMessage } from 'node:http';
import { type Language, languages, locales } from '../../lib/locale.js';
import { acceptedRanges } from '../http/accepted-ranges.js';

export type PageWords = (typeof locales)['en']['pages'];
const LANGUAGE_VARIABLE = '$LANGUAGE$';
/** `$WORDS-SIGN-ON$`: the words of that name. */
const WORDS_VARIABLE = /^\$WORDS-([A-Z0-9-]{1,64})\$$/;

/** Words for a page: what its template asks for by variables, in the language of who asks. */
export function pageWords(request: IncomingMessage): (variable: string) => readonly string[] | undefined {
  let language: Language | undefined;
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
    const catalogue = locales[language].pages;
    return Object.hasOwn(catalogue, key) ? [catalogue[key as keyof PageWords]] : undefined;
  };
}

/** Set by the script of a page whose user has chosen a language; what it says is no secret. */
const LANGUAGE_COOKIE = 'sallyport-language';

/** What the user has chosen, else the first language of his browser that the pages have, else English. */
export function languageOf({ headers }: IncomingMessage): Language {
  return chosenLanguage(headers.cookie ?? '') ?? wantedLanguage(headers['accept-language'] ?? '') ?? languages[0];
}

function chosenLanguage(cookies: string): Language | undefined {
  const chosen = new RegExp(`(?:^|;)\\s*${LANGUAGE_COOKIE}=([a-z]{2})\\s*(?:;|$)`).exec(cookies)?.[1];
  return languages.find((language) => language === chosen);
}

function wantedLanguage(accepted: string): Language | undefined {
  let best: { readonly language: Language; readonly quality: number } | undefined;
  for (const { name, quality } of acceptedRanges(accepted)) {
    const [primary] = name.split('-', 1);
    const language = languages.find((one) => one === primary);
    if (language !== undefined && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language;
}
