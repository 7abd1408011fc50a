import { findCodePage } from '../../../tn3270/codepage/code-pages.js';
import type { Application } from '../application.js';

const lines = [
  '日本語の画面',
  'これはシミュレートされたホストです。',
  '全角文字は二桁を使います：ＡＢＣ１２３',
  'カタカナ　ひらがな　漢字',
];

/** Double-byte text, for terminals of code page 939 or 930; single-byte ones show a program check. */
export const japanese: Application = async (terminal) => {
  const page = findCodePage('IBM939');
  const panel = terminal
    .panel()
    .text(1, 2, 'JAPANESE', { colour: 'turquoise' })
    .text(1, 30, 'Double-byte characters', { colour: 'neutralWhite', intensified: true });
  for (const [at, line] of lines.entries()) {
    if (page !== undefined) panel.codes(5 + at * 2, 4, page.encode(line), { colour: 'yellow' });
  }
  panel
    .text(20, 4, 'The terminal needs code page 939 to show this.', { colour: 'green' })
    .text(24, 2, 'F3=Menu', { colour: 'blue' });
  for (;;) if ((await terminal.show(panel)).key === 'pf3') return 'MENU';
};
