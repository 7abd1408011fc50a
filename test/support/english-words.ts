import { english } from '../../client/terminal/words/english.js';
import { englishDialogs } from '../../client/terminal/words/english-dialogs.js';
import { useCatalogue } from '../../client/terminal/words/words.js';

// parts of the page that run in Node without one speak English, as the page does
useCatalogue({ language: 'en', words: { ...english, ...englishDialogs } });
