import { useCatalogue } from '../../client/terminal/words/words.js';
import locale from '../../locales/en.json' with { type: 'json' };

// page code running in Node uses English, like the page
useCatalogue({ language: 'en', words: { ...locale.terminal, ...locale.dialogs } });
