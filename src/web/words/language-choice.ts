import type { IncomingMessage } from 'node:http';
import { type Language, languages } from '../../lib/locale.js';
import { isOverTls } from '../http/request-sender.js';
import { LANGUAGE_COOKIE } from './page-words.js';

/** Path and fields of the form. The client line sets the same cookie by script (client/terminal/words/language-choice.ts). */
export const LANGUAGE_PAGE = 'language';
export const languageFields = { language: 'LANGUAGE', back: 'BACK' } as const;

const ONE_YEAR_SECONDS = 31_536_000;
const LONGEST_BACK = 2_000;

const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' };

/** Variables of the form for the language. @param back page that is shown next, with its query */
export function languageVariables(current: Language, back: string): Readonly<Record<string, readonly string[]>> {
  return {
    '$LANGUAGE-CHOICE$': languages,
    '$LANGUAGE-NAME$': languages.map((language) => names[language]),
    '$LANGUAGE-IS-CURRENT$': languages.map((language) => (language === current ? 'yes' : '')),
    '$LANGUAGE-BACK$': [back.length > LONGEST_BACK ? '/' : back],
  };
}

/** Undefined if the text is not one of the languages. */
export function languageCookie(incoming: IncomingMessage, chosen: string): string | undefined {
  const language = languages.find((known) => known === chosen);
  if (language === undefined) return undefined;
  const secure = isOverTls(incoming) ? '; Secure' : '';
  return `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; SameSite=Lax${secure}`;
}

/** A path of this server with its query; `/` if the text is something else. */
export function pathBack(text: string): string {
  if (text.length > LONGEST_BACK || !/^\/[\x21-\x7e]*$/.test(text) || !URL.canParse(text, 'http://portal')) return '/';
  const { host, pathname, search } = new URL(text, 'http://portal');
  return host === 'portal' && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}
