import de from '../../locales/de.json' with { type: 'json' };
import en from '../../locales/en.json' with { type: 'json' };
import fr from '../../locales/fr.json' with { type: 'json' };

/** Languages of pages and messages; the first is the fallback. */
export const languages = ['en', 'de', 'fr'] as const;
export type Language = (typeof languages)[number];

/** All words of pages and messages, by section. Every language has the same keys and parameters (a test compares them). */
export const locales: Readonly<Record<Language, typeof en>> = { en, de, fr };

export type Values = Readonly<Record<string, string | number>>;

/**
 * Why something failed: a key of the section `reasons`, with the values of its parameters. A value can be a reason
 * itself, or a list of reasons.
 */
export interface Reason {
  readonly code: keyof typeof en.reasons;
  readonly values?: Readonly<Record<string, string | number | Reason | readonly Reason[]>> | undefined;
}

/** Text of another program, a scenario or a configuration file. It is the same in every language. */
interface ForeignText {
  readonly foreign: string;
}

/** What clients can read: never an English sentence of this server. */
export type PublicDetail = Reason | ForeignText;

/** More about an event. Strings are for the log, or come from another program or the network. */
export type Detail = PublicDetail | string;

export function detailText(detail: Detail, language: Language): string {
  if (typeof detail === 'string') return detail;
  return 'foreign' in detail ? detail.foreign : reasonText(detail, language);
}

export function reasonText({ code, values = {} }: Reason, language: Language): string {
  const texts = Object.entries(values).map(([name, value]): [string, string | number] => {
    if (typeof value !== 'object') return [name, value];
    const reasons = 'code' in value ? [value] : value;
    return [name, reasons.map((one) => reasonText(one, language)).join(' ')];
  });
  return filled(locales[language].reasons[code], Object.fromEntries(texts));
}

export function publicDetail(detail: Detail): PublicDetail {
  return typeof detail === 'string' ? { foreign: detail } : detail;
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
