import { upload as de } from '../../locales/de.json';
import { upload as en } from '../../locales/en.json';
import { upload as fr } from '../../locales/fr.json';
import { inLanguageOf } from '../terminal/words/small-catalogue.js';

/** Messages of a form with a file, in the language of the page. */
export const uploadWords = () => inLanguageOf(document.documentElement, { en, de, fr });
