import { areaBetween, positionBeside, type ScreenArea } from '../model/screen-area.js';
import type { Terminal } from '../terminal.js';
import { words } from '../words/words.js';
import type { ScreenOverlay } from './screen-overlay.js';

/** The rectangle of the screen that the user has selected: by pointer, finger or keys. */
export class TextSelection {
  readonly #terminal: Terminal;
  readonly #overlay: ScreenOverlay;
  readonly #changed: () => void;
  /** The corner that stays, and the one that moves. */
  #corners: readonly [fixed: number, moving: number] | undefined;
  #text = '';

  constructor(terminal: Terminal, overlay: ScreenOverlay, changed: () => void) {
    this.#terminal = terminal;
    this.#overlay = overlay;
    this.#changed = changed;
    // another text is not what was selected
    terminal.listen({ screen: () => this.#look(), sent: () => this.drop() });
  }

  get area(): ScreenArea | undefined {
    return this.#corners && areaBetween(...this.#corners, this.#terminal.model.columns);
  }

  /** As it is copied; '' without a selection. */
  get text(): string {
    return this.#corners === undefined ? '' : this.#terminal.model.copyText(...this.#corners, true);
  }

  select(fixed: number, moving: number): void {
    this.#corners = [fixed, moving];
    this.#show();
  }

  selectArea({ row, column, lastRow, lastColumn }: ScreenArea): void {
    const { columns } = this.#terminal.model;
    this.select(row * columns + column, lastRow * columns + lastColumn);
  }

  /** The corner that moves goes to a position; where nothing is selected yet, the cursor is the other one. */
  extendTo(position: number): void {
    this.select(this.#corners?.[0] ?? this.#terminal.model.cursor, position);
  }

  /** @param direction Left, Right, Up, Down */
  extend(direction: string): void {
    const { model } = this.#terminal;
    const moving = this.#corners?.[1];
    this.extendTo(moving === undefined ? this.#first(direction) : positionBeside(moving, direction, model));
    this.#tell();
  }

  selectAll(): void {
    const { rows, columns } = this.#terminal.model;
    if (rows === 0) return;
    this.select(0, rows * columns - 1);
    this.#tell();
  }

  drop(): void {
    if (this.#corners === undefined) return;
    this.#corners = undefined;
    this.#show();
  }

  /** The position of the cursor itself is the first to be selected. */
  #first(direction: string): number {
    const { model } = this.#terminal;
    return direction === 'Left' || direction === 'Right'
      ? model.cursor
      : positionBeside(model.cursor, direction, model);
  }

  #look(): void {
    const { rows, columns } = this.#terminal.model;
    if (this.#corners === undefined) return;
    if (this.#corners.some((corner) => corner >= rows * columns) || this.text !== this.#text) this.drop();
    else this.#show();
  }

  #show(): void {
    const { area } = this;
    this.#text = this.text;
    this.#overlay.draw('selected', area === undefined ? [] : [area]);
    this.#changed();
  }

  /** For who cannot see it. */
  #tell(): void {
    const { area } = this;
    if (area === undefined) return;
    const { row, column, lastRow, lastColumn } = area;
    this.#terminal.announce(
      words(row === lastRow ? 'select.row' : 'select.rows', {
        row: row + 1,
        lastRow: lastRow + 1,
        column: column + 1,
        lastColumn: lastColumn + 1,
      }),
    );
  }
}
