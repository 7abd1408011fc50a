import { areaBetween, positionBeside, type ScreenRegion } from '../model/screen-area.js';
import type { Terminal } from '../terminal.js';
import { words } from '../words/words.js';
import type { ScreenOverlay } from './screen-overlay.js';

export class TextSelection {
  readonly #terminal: Terminal;
  readonly #overlay: ScreenOverlay;
  readonly #changed: () => void;
  #corners: readonly [fixed: number, moving: number] | undefined;
  #text = '';

  constructor(terminal: Terminal, overlay: ScreenOverlay, changed: () => void) {
    this.#terminal = terminal;
    this.#overlay = overlay;
    this.#changed = changed;
    // a selection does not apply to another text
    terminal.listen({ screen: () => this.#look(), sent: () => this.drop() });
  }

  get area(): ScreenRegion | undefined {
    return this.#corners && areaBetween(...this.#corners, this.#terminal.model.columns);
  }

  /** Copied form; `''` without a selection. */
  get text(): string {
    return this.#corners === undefined ? '' : this.#terminal.model.copyText(...this.#corners, true);
  }

  select(fixed: number, moving: number): void {
    this.#corners = [fixed, moving];
    this.#show();
  }

  selectArea({ row, column, lastRow, lastColumn }: ScreenRegion): void {
    const { columns } = this.#terminal.model;
    this.select(row * columns + column, lastRow * columns + lastColumn);
  }

  /** Moves the moving corner. A new selection starts at the cursor. */
  extendTo(position: number): void {
    this.select(this.#corners?.[0] ?? this.#terminal.model.cursor, position);
  }

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
