import { dialogs, reasons, terminal } from '../../../locales/de.json';
import type { Catalogue } from './catalogue.js';

export const catalogue: Catalogue = { language: 'de', words: { ...reasons, ...terminal, ...dialogs } };
