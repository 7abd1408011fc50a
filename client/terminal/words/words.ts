import type { locales, Reason } from '../../../src/lib/locale.js';
import { filled, nestedText, textForm, type Values } from '../../../src/lib/text/catalogue-text.js';
import type { Catalogue } from './catalogue.js';

type English = (typeof locales)['en'];
export type WordKey = keyof English['terminal'] | keyof English['dialogs'] | Reason['code'];
type PluralKey = WordKey extends infer Key ? (Key extends `${infer Stem}.other` ? Stem : never) : never;

interface CatalogueInForce extends Catalogue {
  readonly plurals: Intl.PluralRules;
}

/** The scripts of a page share the catalogue of the first one, because each bundle has its own copy of this file. */
const PLACE = Symbol.for('sallyport.words');
const page = globalThis as { [PLACE]?: CatalogueInForce };

export function useCatalogue(catalogue: Catalogue): void {
  page[PLACE] = { ...catalogue, plurals: new Intl.PluralRules(catalogue.language) };
}

/** Texts that the current catalogue already has are kept. */
export function addWords(more: Catalogue['words']): void {
  const inForce = page[PLACE];
  if (inForce !== undefined) page[PLACE] = { ...inForce, words: { ...more, ...inForce.words } };
}

/** The text of a key, with its values inserted. A value named `count` selects the plural form. */
export function words(key: WordKey | PluralKey, values: Values = {}): string {
  const inForce = page[PLACE];
  if (inForce === undefined) return key;
  return filled(textForm(inForce.words, inForce.plurals, key, values.count), values);
}

/** The text of a reason. Reasons are loaded with the texts of the dialogs. */
export function reasonWords(reason: Reason): string {
  return nestedText(reason, words);
}
