import type { Application } from '../application.js';

const TOP_LEFT = 0xc5;
const TOP_RIGHT = 0xd5;
const BOTTOM_LEFT = 0xc4;
const BOTTOM_RIGHT = 0xd4;
const HORIZONTAL = 0xa2;
const VERTICAL = 0x85;
const BOX_WIDTH = 30;

/** A box of line drawing characters, and the APL characters in rows of sixteen. */
export const apl: Application = async (terminal) => {
  const line = new Array<number>(BOX_WIDTH).fill(HORIZONTAL);
  const panel = terminal
    .panel()
    .text(1, 2, 'APL', { colour: 'turquoise' })
    .text(1, 30, 'APL characters and line drawing', { colour: 'neutralWhite', intensified: true })
    .graphic(4, 4, [TOP_LEFT, ...line, TOP_RIGHT])
    .graphic(5, 4, [VERTICAL])
    .text(5, 6, 'Graphic Escape draws the box', { colour: 'green' })
    .graphic(5, 5 + BOX_WIDTH, [VERTICAL])
    .graphic(6, 4, [BOTTOM_LEFT, ...line, BOTTOM_RIGHT]);
  for (let row = 0; row < 9; row++) {
    const first = 0x70 + row * 0x10;
    const codes = Array.from({ length: 16 }, (_, at) => first + at).filter((code) => code < 0xff);
    panel.text(9 + row, 4, `X'${first.toString(16).toUpperCase()}'`, { colour: 'blue' }).graphic(9 + row, 12, codes);
  }
  panel.text(24, 2, 'F3=Menu', { colour: 'blue' });
  for (;;) if ((await terminal.show(panel)).key === 'pf3') return 'MENU';
};
