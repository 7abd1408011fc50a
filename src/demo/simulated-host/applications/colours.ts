import type { Application } from '../application.js';
import type { Colour, TextStyle } from '../panel.js';

const shownColours: readonly Colour[] = ['blue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'neutralWhite'];
const shownHighlightings: ReadonlyArray<TextStyle['highlighting']> = [undefined, 'blink', 'reverse', 'underscore'];

/** Every colour with every highlighting, and what the field attribute alone can do. */
export const colours: Application = async (terminal) => {
  const panel = terminal
    .panel()
    .text(1, 2, 'COLOURS', { colour: 'turquoise' })
    .text(1, 30, 'Colours and attributes', { colour: 'neutralWhite', intensified: true });
  for (const [row, colour] of shownColours.entries()) {
    for (const [column, highlighting] of shownHighlightings.entries()) {
      const words = `${colour.replace('neutralW', 'w')} ${highlighting ?? 'plain'}`;
      panel.text(4 + row, 2 + column * 19, words, { colour, ...(highlighting === undefined ? {} : { highlighting }) });
    }
    // or the highlighting of the last one goes on to the next row
    panel.text(4 + row, 80, '');
  }
  panel
    .text(13, 2, 'Field attributes without colour:')
    .text(14, 4, 'normal protected')
    .text(15, 4, 'intensified protected', { intensified: true })
    .text(16, 4, 'typing')
    .input('normal', 16, 24, { length: 10, value: 'normal' })
    .text(17, 4, 'intensified')
    .input('intensified', 17, 24, { length: 10, value: 'bright', intensified: true })
    .text(18, 4, 'not displayed')
    .input('hidden', 18, 24, { length: 10, value: 'unseen', hidden: true })
    .text(19, 4, 'numeric')
    .input('numeric', 19, 24, { length: 10, value: '123', numeric: true })
    .text(24, 2, 'F3=Menu', { colour: 'blue' });
  for (;;) if ((await terminal.show(panel)).key === 'pf3') return 'MENU';
};
