import { holdEarlyTyping } from './held-strokes.js';

// the page loads this script before the screen is painted, and the terminal after it
holdEarlyTyping();
