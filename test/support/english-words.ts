import { english } from '../../client/terminal/words/english.js';
import { englishDialogs } from '../../client/terminal/words/english-dialogs.js';
import { useCatalogue } from '../../client/terminal/words/words.js';

// page code running in Node uses English, like the page
useCatalogue({ language: 'en', words: { ...english, ...englishDialogs } });
