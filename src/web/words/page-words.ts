import type { IncomingMessage } from 'node:http';
import { type Language, languages, locales } from '../../lib/locale.js';
import { filledBy } from '../../lib/text/catalogue-text.js';
import type { Series } from '../../templates/series.js';
import { acceptedRanges } from '../http/accepted-ranges.js';

export type PageWords = (typeof locales)['en']['pages'];
const LANGUAGE_VARIABLE = '$LANGUAGE$';
/** `$WORDS-SIGN-ON$`: the text of that name. */
const WORDS_VARIABLE = /^\$WORDS-([A-Z0-9-]{1,64})\$$/;

/** Texts for a page: the variables that its template uses, in the language of the user. */
export function pageWords(request: IncomingMessage): (variable: string) => Series | undefined {
  let language: Language | undefined;
  return (variable) => {
    if (!variable.startsWith('$')) return undefined;
    language ??= languageOf(request);
    return wordsOf(variable, language);
  };
}

/**
 * Texts for a page of the portal. `{holder}` in a text is the first value of the variable `$HOLDER$`, `{mostSeconds}` that of
 * `$MOST-SECONDS$`.
 */
export function portalWords(
  language: Language,
  variables: Readonly<Record<string, readonly string[] | undefined>>,
): (variable: string) => Series | undefined {
  const valueNamed = (name: string) => variables[`$${name.replaceAll(/[A-Z]/g, '-$&').toUpperCase()}$`]?.[0];
  return (variable) => wordsOf(variable, language, valueNamed);
}

function wordsOf(
  variable: string,
  language: Language,
  valueNamed?: (name: string) => string | undefined,
): Series | undefined {
  const name = variable.toUpperCase();
  if (name === LANGUAGE_VARIABLE) return constant(language);
  const key = WORDS_VARIABLE.exec(name)?.[1];
  if (key === undefined) return undefined;
  const { pages, portal } = locales[language];
  const section: Readonly<Record<string, string>> = Object.hasOwn(portal, key) ? portal : pages;
  if (!Object.hasOwn(section, key)) return undefined;
  const text = section[key] ?? '';
  if (valueNamed === undefined) return constant(text);
  return constant(filledBy(text, valueNamed));
}

/** The same text at every pass of a loop. */
function constant(text: string): Series {
  return { length: 1, at: () => text };
}

/** Set by the script of a page, or by the portal, when the user chooses a language. It is not a secret. */
export const LANGUAGE_COOKIE = 'sallyport-language';

/** The user's choice, else the first supported language of the browser, else English. */
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
