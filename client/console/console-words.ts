import { console as de } from '../../locales/de.json';
import { console as en } from '../../locales/en.json';
import { console as fr } from '../../locales/fr.json';
import { filled } from '../../src/lib/text/catalogue-text.js';
import { inLanguageOf } from '../terminal/words/small-catalogue.js';

/** Words of live pages, in the language of the page. */
const words = () => inLanguageOf(document.documentElement, { en, de, fr });

export function word(key: keyof typeof en, values: Readonly<Record<string, string>> = {}): string {
  return filled(words()[key], values);
}

/** Of the page. */
export function pageLanguage(): string {
  return document.documentElement.lang || 'en';
}
