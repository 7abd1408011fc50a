import { dialogs, reasons } from '../../../locales/en.json';
import type { Catalogue } from './catalogue.js';

/** Loaded with the first dialog; the words that a page needs at once are in its own script. */
export const catalogue: Catalogue = { language: 'en', words: { ...reasons, ...dialogs } };
