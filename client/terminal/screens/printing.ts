import { make } from '../macros/dialog.js';
import type { KeptScreen, PicturedScreen } from '../model/screen-history.js';
import { picture } from './picture.js';
import { screenTitle } from './saving.js';

/**
 * Prints screens, each on its own page. Style sheet: terminal-print.css.
 * @param isAsSeen in colour; otherwise black on white
 */
export function printScreens(screens: readonly (PicturedScreen | KeptScreen)[], isAsSeen: boolean): void {
  const sheets = screens.map((screen) => {
    const title = screens.length > 1 && 'number' in screen ? make('h2', {}, screenTitle(screen)) : undefined;
    return make('section', {}, title, picture(screen));
  });
  const place = make('div', { className: isAsSeen ? 'print-sheet as-seen' : 'print-sheet' }, ...sheets);
  document.body.append(place);
  document.body.classList.add('printing');
  const end = () => {
    place.remove();
    document.body.classList.remove('printing');
  };
  addEventListener('afterprint', end, { once: true });
  print();
}
