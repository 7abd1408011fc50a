import type { ScreenRegion } from '../model/screen-area.js';

interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

export function drawAreas(
  place: HTMLElement,
  layer: string,
  { rows, columns }: ScreenSize,
  areas: readonly ScreenRegion[],
): void {
  for (const old of place.querySelectorAll(`.${layer}`)) old.remove();
  place.append(
    ...areas.map(({ row, column, lastRow, lastColumn }) => {
      const box = document.createElement('div');
      box.className = layer;
      const { style } = box;
      style.left = `${(column / columns) * 100}%`;
      style.top = `${(row / rows) * 100}%`;
      style.width = `${((lastColumn - column + 1) / columns) * 100}%`;
      style.height = `${((lastRow - row + 1) / rows) * 100}%`;
      return box;
    }),
  );
}

interface OverlaidTerminal {
  readonly element: HTMLElement;
  readonly model: ScreenSize;
  listen(events: { refreshed(): void }): void;
}

/** Layers of rectangles over the screen. Pointers pass through. */
export class ScreenOverlay {
  readonly #terminal: OverlaidTerminal;
  readonly #place = document.createElement('div');
  readonly #observer = new ResizeObserver(() => this.#fit());
  #row: Element | undefined;

  constructor(terminal: OverlaidTerminal) {
    this.#terminal = terminal;
    this.#place.className = 'screen-overlay';
    this.#place.setAttribute('aria-hidden', 'true');
    terminal.listen({ refreshed: () => this.#attach() });
    this.#attach();
  }

  draw(layer: string, areas: readonly ScreenRegion[]): void {
    drawAreas(this.#place, layer, this.#terminal.model, areas);
  }

  place(handle: HTMLElement, { row, column, lastRow, lastColumn }: ScreenRegion, isLast: boolean): void {
    const { rows, columns } = this.#terminal.model;
    handle.style.left = `${((isLast ? lastColumn + 1 : column) / columns) * 100}%`;
    handle.style.top = `${((isLast ? lastRow + 1 : row) / rows) * 100}%`;
    if (handle.parentElement !== this.#place) this.#place.append(handle);
  }

  boxOf({ row, column, lastRow, lastColumn }: ScreenRegion): DOMRect {
    const { rows, columns } = this.#terminal.model;
    const { left, top, width, height } = this.#place.getBoundingClientRect();
    return new DOMRect(
      left + (column / columns) * width,
      top + (row / rows) * height,
      ((lastColumn - column + 1) / columns) * width,
      ((lastRow - row + 1) / rows) * height,
    );
  }

  /** The position nearest to window coordinates. */
  nearest(clientX: number, clientY: number): number {
    const { rows, columns } = this.#terminal.model;
    const { left, top, width, height } = this.#place.getBoundingClientRect();
    const within = (share: number, most: number) => Math.max(0, Math.min(most - 1, Math.floor(share * most)));
    return within((clientY - top) / height, rows) * columns + within((clientX - left) / width, columns);
  }

  #attach(): void {
    const screen = this.#terminal.element;
    const row = screen.querySelector('.row') ?? undefined;
    if (row === this.#row && this.#place.isConnected) return;
    this.#observer.disconnect();
    this.#row = row;
    if (row === undefined) return;
    screen.append(this.#place);
    this.#observer.observe(row);
    this.#fit();
  }

  #fit(): void {
    const screen = this.#terminal.element;
    const row = this.#row;
    if (row === undefined) return;
    const frame = screen.getBoundingClientRect();
    const { left, top, width, height } = row.getBoundingClientRect();
    const { style } = this.#place;
    style.left = `${left - frame.left - screen.clientLeft + screen.scrollLeft}px`;
    style.top = `${top - frame.top - screen.clientTop + screen.scrollTop}px`;
    style.width = `${width}px`;
    style.height = `${height * this.#terminal.model.rows}px`;
  }
}
