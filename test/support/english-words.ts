import { useCatalogue } from '../../client/terminal/words/words.js';
import locale from '../../locales/en.json' with { type: 'json' };

// parts of the page that run in Node speak English
useCatalogue({ language: 'en', words: { ...locale.reasons, ...locale.terminal, ...locale.dialogs } });
