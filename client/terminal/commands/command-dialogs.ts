import { showKeyHelp } from './key-help.js';
import { openPalette } from './palette.js';

export const desk = { openPalette, showKeyHelp };

/** The command list and the key help, loaded on first use. */
export type CommandDesk = typeof desk;
