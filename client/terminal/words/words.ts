import type { locales, Reason } from '../../../src/lib/locale.js';
import type { Catalogue } from './catalogue.js';

type English = (typeof locales)['en'];
export type WordKey = keyof English['terminal'] | keyof English['dialogs'] | Reason['code'];
type PluralKey = WordKey extends infer Key ? (Key extends `${infer Stem}.other` ? Stem : never) : never;
type Values = Readonly<Record<string, string | number>>;

interface CatalogueInForce extends Catalogue {
  readonly plurals: Intl.PluralRules;
}

/** The scripts of a page share the catalogue that its first one has chosen: each bundle has a copy of this file. */
const PLACE = Symbol.for('sallyport.words');
const page = globalThis as { [PLACE]?: CatalogueInForce };

export function useCatalogue(catalogue: Catalogue): void {
  page[PLACE] = { ...catalogue, plurals: new Intl.PluralRules(catalogue.language) };
}

/** What the catalogue in force has already stays as it is. */
export function addWords(more: Catalogue['words']): void {
  const inForce = page[PLACE];
  if (inForce !== undefined) page[PLACE] = { ...inForce, words: { ...more, ...inForce.words } };
}

/** The words for something, with its values. A number named `count` decides between the forms of a plural. */
export function words(key: WordKey | PluralKey, values: Values = {}): string {
  const inForce = page[PLACE];
  if (inForce === undefined) return key;
  const { words: catalogue, plurals } = inForce;
  const { count } = values;
  const form = typeof count === 'number' ? catalogue[`${key}.${plurals.select(count)}`] : undefined;
  const text = form ?? catalogue[key] ?? catalogue[`${key}.other`] ?? key;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The words for a reason. They are loaded with those of the dialogs. */
export function reasonWords({ code, values = {} }: Reason): string {
  const texts = Object.entries(values).map(([name, value]): [string, string | number] => {
    if (typeof value !== 'object') return [name, value];
    const reasons = 'code' in value ? [value] : value;
    return [name, reasons.map(reasonWords).join(' ')];
  });
  return words(code, Object.fromEntries(texts));
}
