import { form as de } from '../../locales/de.json';
import { form as en } from '../../locales/en.json';
import { form as fr } from '../../locales/fr.json';
import { inLanguageOf } from '../terminal/words/small-catalogue.js';

/** The messages of a form, in the language of the page. */
export const formWords = () => inLanguageOf(document.documentElement, { en, de, fr });
