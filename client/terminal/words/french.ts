import { dialogs, reasons, terminal } from '../../../locales/fr.json';
import type { Catalogue } from './catalogue.js';

export const catalogue: Catalogue = { language: 'fr', words: { ...reasons, ...terminal, ...dialogs } };
