import type { OwnColours, TerminalSettings } from '../../src/terminal/settings/terminal-settings.js';
import { keepEarlyColours } from './early-colours.js';
import { lettersOn, mixed, readable } from './readable-colour.js';

/** How much of the letters' colour, or of the cursor's, is in what is behind letters that can be typed over. */
const FIELD_PART = 0.08;
const TYPING_PART = 0.2;
/** How much of the background is in what is less than white. */
const DIM_PART = 0.3;

const backgroundNames = ['--glass', '--field', '--typing', '--caret', '--dim'] as const;
const inks = ['blue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'white'] as const;

type Appearance = Pick<TerminalSettings, 'theme' | 'ownColours' | 'cursorShape' | 'cursorBlink' | 'crossHair'>;

/** Has the page look as its user wants it; the style sheets say how that is. */
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
    // it was there for the beginning of the page
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

/** What can be read on its background is as the user has chosen it; the rest is lighter or darker. */
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
