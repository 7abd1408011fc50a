import { embedding as de } from '../../locales/de.json';
import { embedding as en } from '../../locales/en.json';
import { embedding as fr } from '../../locales/fr.json';
import { inLanguageOf } from '../terminal/words/small-catalogue.js';

/** The messages of the element, in the language of its place in the page. */
export const embeddingWords = (element: Element) => inLanguageOf(element, { en, de, fr });
