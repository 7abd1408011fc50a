import { dialogs, reasons } from '../../../locales/en.json';
import type { Catalogue } from './catalogue.js';

/** Loaded with the first dialog. The script of the page contains the texts that it needs at once. */
export const catalogue: Catalogue = { language: 'en', words: { ...reasons, ...dialogs } };
