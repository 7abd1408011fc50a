import type { locales, Reason } from '../../../src/lib/locale.js';
import { filled, nestedText, textForm, type Values } from '../../../src/lib/text/catalogue-text.js';
import type { Catalogue } from './catalogue.js';

type English = (typeof locales)['en'];
export type WordKey = keyof English['terminal'] | keyof English['dialogs'] | Reason['code'];
type PluralKey = WordKey extends infer Key ? (Key extends `${infer Stem}.other` ? Stem : never) : never;

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
  return filled(textForm(inForce.words, inForce.plurals, key, values.count), values);
}

/** The words for a reason. They are loaded with those of the dialogs. */
export function reasonWords(reason: Reason): string {
  return nestedText(reason, words);
}
