import { showKeyHelp } from './key-help.js';
import { openPalette } from './palette.js';

export const tools = { openPalette, showKeyHelp };

/** The command list and the key help, loaded on first use. */
export type CommandDialogs = typeof tools;
