import { make } from '../macros/dialog.js';
import { areaOf, type Stretch } from '../model/screen-area.js';
import type { PicturedScreen } from '../model/screen-history.js';
import { rowSegments } from '../screen-view.js';
import { shownScreen } from '../shown-screen.js';
import { drawAreas } from '../text/screen-overlay.js';

interface StyledText {
  readonly text: string;
  /** CSS classes of the screen. */
  readonly style: string;
}

export function styledRows(screen: PicturedScreen): readonly (readonly StyledText[])[] {
  const { rows, columns, fields, runs, cells } = screen;
  const shown = shownScreen({ rows, columns, fields, runs, cursor: 0, cells: () => cells, hiddenText: () => '' });
  return rowSegments(shown).map((segments) =>
    segments.flatMap((segment): readonly StyledText[] => {
      if (segment.kind === 'text') return [segment];
      const { start, length, style, pieces } = segment;
      return pieces.length > 0 ? pieces : [{ text: cells.slice(start, start + length).join(''), style }];
    }),
  );
}

/** Rows of text without trailing blanks. */
export function pictureText(screen: PicturedScreen): string {
  return styledRows(screen)
    .map((row) =>
      row
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

export type Marks = readonly (readonly [layer: string, stretches: readonly Stretch[]])[];

export function picture(screen: PicturedScreen, marks: Marks = []): HTMLElement {
  const { columns } = screen;
  const rows = styledRows(screen).map((row) =>
    make('div', { className: 'row' }, ...row.map(({ text, style }) => make('span', { className: style }, text))),
  );
  const over = make('div', { className: 'screen-overlay' });
  over.setAttribute('aria-hidden', 'true');
  for (const [layer, stretches] of marks)
    drawAreas(
      over,
      layer,
      screen,
      stretches.map((stretch) => areaOf(stretch, columns)),
    );
  const whole = make('div', { className: 'screen kept' }, make('div', { className: 'kept-rows' }, ...rows, over));
  whole.style.setProperty('--columns', String(columns));
  whole.style.setProperty('--rows', String(screen.rows));
  return whole;
}
