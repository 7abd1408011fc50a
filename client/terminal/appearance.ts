import type { OwnColours, TerminalSettings } from '../../src/terminal/settings/terminal-settings.js';
import { keepEarlyColours } from './early-colours.js';
import { lettersOn, mixed, readable } from './readable-colour.js';

/** Part of the text or cursor colour in the background of input fields. */
const FIELD_PART = 0.08;
const TYPING_PART = 0.2;
/** Part of the background in dimmed colours. */
const DIM_PART = 0.3;

const backgroundNames = ['--glass', '--field', '--typing', '--caret', '--dim'] as const;
const inks = ['blue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'white'] as const;

type Appearance = Pick<TerminalSettings, 'theme' | 'ownColours' | 'cursorShape' | 'cursorBlink' | 'crossHair'>;

export function showAppearance(
  { theme, ownColours, cursorShape, cursorBlink, crossHair }: Appearance,
  screen: HTMLElement,
): void {
  const { dataset } = document.documentElement;
  const { style } = screen;
  const { style: root } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  const colours = theme === 'own' ? coloursOf(ownColours) : {};
  for (const name of [...backgroundNames, ...inks.map((ink) => `--${ink}`)]) {
    const colour = colours[name];
    // the early script set it for the first paint
    root.removeProperty(name);
    if (colour === undefined) style.removeProperty(name);
    else style.setProperty(name, colour);
  }
  keepEarlyColours(colours);
  style.colorScheme = theme === 'own' ? (lettersOn(ownColours.background) === '#ffffff' ? 'dark' : 'light') : '';
  dataset.cursor = cursorShape;
  toggle('cursorBlink', cursorBlink);
  toggle('crossHair', crossHair);
}

function toggle(name: string, isOn: boolean): void {
  const { dataset } = document.documentElement;
  if (isOn) dataset[name] = '';
  else delete dataset[name];
}

/** Keeps the user's colours if they are readable on the background; otherwise makes them lighter or darker. */
function coloursOf({ background, cursor, ...colours }: OwnColours): Readonly<Record<string, string>> {
  const letters = lettersOn(background);
  const field = mixed(background, letters, FIELD_PART);
  const typing = mixed(background, cursor, TYPING_PART);
  const backgrounds = [background, field, typing];
  return {
    '--glass': background,
    '--field': field,
    '--typing': typing,
    '--caret': cursor,
    '--dim': readable(mixed(colours.white, background, DIM_PART), backgrounds),
    ...Object.fromEntries(inks.map((ink) => [`--${ink}`, readable(colours[ink], backgrounds)])),
  };
}
