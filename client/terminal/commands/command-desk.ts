import { showKeyHelp } from './key-help.js';
import { openPalette } from './palette.js';

export const desk = { openPalette, showKeyHelp };

/** The list of all commands, and the help on keys: a script that is loaded when the first of them is wanted. */
export type CommandDesk = typeof desk;
