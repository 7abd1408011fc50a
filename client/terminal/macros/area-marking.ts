import { words } from '../words/words.js';
import { make } from './dialog.js';

/** Two corners, counted from 0: first row and column, last row and column. */
interface MarkedArea {
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly lastColumn: number;
}

interface MarkedScreen {
  readonly element: HTMLElement;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
}

/**
 * Lets the user mark a screen area by mouse, touch or keys, which then do not reach the terminal.
 * @param say shows what is marked
 * @returns undefined if the user cancels
 */
export function markArea(
  { element, rows, columns, cursor }: MarkedScreen,
  say: (text: string) => void,
): Promise<MarkedArea | undefined> {
  return new Promise((resolve) => {
    const box = make('div', { className: 'marked' });
    const cover = make('div', { className: 'marking', tabIndex: 0 }, box);
    cover.setAttribute('role', 'application');
    cover.ariaLabel = words('area.help');
    let [anchor, end] = [cursor, cursor];
    let isOver = false;
    const area = (): MarkedArea => {
      const [one, other] = [rowAndColumn(anchor), rowAndColumn(end)];
      return {
        row: Math.min(one.row, other.row),
        column: Math.min(one.column, other.column),
        lastRow: Math.max(one.row, other.row),
        lastColumn: Math.max(one.column, other.column),
      };
    };
    const show = () => {
      const { row, column, lastRow, lastColumn } = area();
      box.style.setProperty('--row', String(row));
      box.style.setProperty('--column', String(column));
      box.style.setProperty('--rows', String(lastRow - row + 1));
      box.style.setProperty('--columns', String(lastColumn - column + 1));
    };
    const tell = () => {
      const { row, column, lastRow, lastColumn } = area();
      const marked = words(row === lastRow ? 'area.row' : 'area.rows', { row: row + 1, lastRow: lastRow + 1 });
      say(words('area.marked', { rows: marked, column: column + 1, lastColumn: lastColumn + 1 }));
    };
    const finish = (answer: MarkedArea | undefined) => {
      if (isOver) return;
      isOver = true;
      cover.remove();
      resolve(answer);
    };
    const positionAt = ({ clientX, clientY }: PointerEvent) => {
      const { left, top, width, height } = cover.getBoundingClientRect();
      const within = (value: number, most: number) => Math.max(0, Math.min(most - 1, Math.floor(value)));
      return (
        within(((clientY - top) / height) * rows, rows) * columns +
        within(((clientX - left) / width) * columns, columns)
      );
    };
    cover.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Tab') return;
      event.preventDefault();
      if (event.key === 'Enter') return finish(area());
      if (event.key === 'Escape') return finish(undefined);
      const { row, column } = rowAndColumn(end);
      const [down, right] = arrows[event.key] ?? [0, 0];
      const moved = [Math.max(0, Math.min(rows - 1, row + down)), Math.max(0, Math.min(columns - 1, column + right))];
      end = (moved[0] as number) * columns + (moved[1] as number);
      if (!event.shiftKey) anchor = end;
      show();
      // only for keys: during a drag, a text of another length would move the screen under the pointer
      tell();
      box.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    cover.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      cover.focus({ preventScroll: true });
      cover.setPointerCapture(event.pointerId);
      anchor = positionAt(event);
      end = anchor;
      show();
    });
    cover.addEventListener('pointermove', (event) => {
      if (!cover.hasPointerCapture(event.pointerId)) return;
      end = positionAt(event);
      show();
    });
    cover.addEventListener('pointerup', (event) => {
      event.stopPropagation();
      if (cover.hasPointerCapture(event.pointerId)) finish(area());
    });
    cover.addEventListener('click', (event) => event.stopPropagation());
    cover.addEventListener('blur', () => finish(undefined));
    element.append(cover);
    cover.focus({ preventScroll: true });
    show();
    say(words('area.help'));

    function rowAndColumn(position: number) {
      return { row: Math.floor(position / columns), column: position % columns };
    }
  });
}

const arrows: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
