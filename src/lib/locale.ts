import de from '../../locales/de.json' with { type: 'json' };
import en from '../../locales/en.json' with { type: 'json' };
import fr from '../../locales/fr.json' with { type: 'json' };
import { filled, nestedText, type TextWithValues, textForm, type Values } from './text/catalogue-text.js';

/** Languages of pages and messages; the first is the fallback. */
export const languages = ['en', 'de', 'fr'] as const;
export type Language = (typeof languages)[number];

/** All texts of pages and messages, by section. Every language has the same keys and parameters (a test compares them). */
export const locales: Readonly<Record<Language, typeof en>> = { en, de, fr };

/** Why something failed: a key of the section `reasons`, with the values of its parameters. */
export type Reason = TextWithValues<keyof typeof en.reasons>;

/** Text of another program, a scenario or a configuration file. It is the same in every language. */
interface ForeignText {
  readonly foreign: string;
}

/** A detail for clients: never an English sentence of this server. */
export type PublicDetail = Reason | ForeignText;

/** Details of an event. Strings are for the log, or come from another program or the network. */
export type Detail = PublicDetail | string;

export function detailText(detail: Detail, language: Language): string {
  if (typeof detail === 'string') return detail;
  return 'foreign' in detail ? detail.foreign : reasonText(detail, language);
}

export function reasonText(reason: Reason, language: Language): string {
  const { reasons } = locales[language];
  return nestedText(reason, (code, values) => filled(reasons[code], values));
}

/** True if the detail is the same in every language, because it comes from another program. */
export function isForeign(detail: Detail): boolean {
  return typeof detail === 'string' || 'foreign' in detail;
}

export function publicDetail(detail: Detail): PublicDetail {
  return typeof detail === 'string' ? { foreign: detail } : detail;
}

const plurals: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  de: new Intl.PluralRules('de'),
  fr: new Intl.PluralRules('fr'),
};

/** Keys of texts that have forms for numbers, without the form. */
export type CountedKey<Words> = Extract<keyof Words, `${string}.other`> extends `${infer Stem}.other` ? Stem : never;

/** The text of `KEY.one` or `KEY.other`, whichever the language uses for the number, with `{count}` and `values` replaced. */
export function countText<Words extends Readonly<Record<string, string>>>(
  words: Words,
  key: CountedKey<Words>,
  count: number,
  language: Language,
  values: Values = {},
): string {
  return filled(textForm(words, plurals[language], key, count), { count, ...values });
}
