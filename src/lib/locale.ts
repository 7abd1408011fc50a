import de from '../../locales/de.json' with { type: 'json' };
import en from '../../locales/en.json' with { type: 'json' };
import fr from '../../locales/fr.json' with { type: 'json' };

/** Languages of pages and messages; the first is the fallback. */
export const languages = ['en', 'de', 'fr'] as const;
export type Language = (typeof languages)[number];

/** All words of pages and messages, by section. Every language has the same keys and parameters (a test compares them). */
export const locales: Readonly<Record<Language, typeof en>> = { en, de, fr };

export type Values = Readonly<Record<string, string | number>>;

/** Why something failed: a key of the section `reasons`, with the values of its parameters. */
export interface Reason {
  readonly code: keyof typeof en.reasons;
  readonly values?: Values | undefined;
}

/** More about an event: a reason in every language, or text that another program or the network reported. */
export type Detail = Reason | string;

export function detailText(detail: Detail, language: Language): string {
  return typeof detail === 'string' ? detail : filled(locales[language].reasons[detail.code], detail.values);
}

/** Replaces `{name}` by the value of that name. A placeholder without a value stays. */
export function filled(text: string, values: Values = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
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
  const text = words[`${key}.${plurals[language].select(count)}`] ?? words[`${key}.other`] ?? key;
  return filled(text, { count, ...values });
}
