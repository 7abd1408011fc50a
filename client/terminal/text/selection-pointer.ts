import { rowArea, wordAt } from '../model/screen-area.js';
import type { Terminal } from '../terminal.js';
import type { ScreenOverlay } from './screen-overlay.js';
import { HANDLE } from './selection-handles.js';
import type { TextSelection } from './text-selection.js';

const LONG_PRESS_MILLISECONDS = 500;
/** Tolerated movement during a long press, in pixels. */
const TREMBLE = 10;

/** Selects by dragging with mouse or pen, or by touch after a long press. The browser's own selection is suppressed. */
export class SelectionPointer {
  readonly #terminal: Terminal;
  readonly #overlay: ScreenOverlay;
  readonly #selection: TextSelection;
  readonly #done: (isFinger: boolean) => void;
  #pressed: number | undefined;
  #isDragged = false;
  /** Position of the long press that started a touch selection. */
  #held: number | undefined;
  #start: { readonly x: number; readonly y: number } | undefined;
  #timer: number | undefined;

  /** @param done called when the pointer or finger is released after selecting */
  constructor(terminal: Terminal, overlay: ScreenOverlay, selection: TextSelection, done: (isFinger: boolean) => void) {
    this.#terminal = terminal;
    this.#overlay = overlay;
    this.#selection = selection;
    this.#done = done;
    const { element } = terminal;
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    // in the capture phase, before the handler that moves the cursor
    element.addEventListener('pointerup', (event) => this.#up(event), { capture: true });
    element.addEventListener('pointercancel', () => this.#letGo());
    element.addEventListener('mousedown', (event) => this.#mouseDown(event));
    element.addEventListener('touchstart', (event) => this.#touchStart(event), { passive: true });
    element.addEventListener('touchmove', (event) => this.#touchMove(event), { passive: false });
    element.addEventListener('touchend', (event) => this.#touchEnd(event), { passive: false });
    element.addEventListener('touchcancel', () => this.#touchEnd());
    element.addEventListener('selectstart', (event) => {
      if (this.#held !== undefined || !(event.target instanceof HTMLInputElement)) event.preventDefault();
    });
    element.addEventListener('contextmenu', (event) => {
      if (this.#held !== undefined) event.preventDefault();
    });
  }

  #down(event: PointerEvent): void {
    // elements over the screen, such as the marked area of a recording, are not part of it
    if (event.pointerType === 'touch' || event.button !== 0 || event.defaultPrevented) return;
    const position = this.#terminal.view.positionAt(event.clientX, event.clientY);
    this.#isDragged = false;
    this.#pressed = position;
    if (position === undefined) return;
    if (event.shiftKey) {
      this.#isDragged = true;
      this.#selection.extendTo(position);
    } else this.#selection.drop();
  }

  #move(event: PointerEvent): void {
    if (this.#pressed === undefined) return;
    const position = this.#overlay.nearest(event.clientX, event.clientY);
    if (!this.#isDragged && position === this.#pressed) return;
    if (!this.#isDragged) this.#terminal.element.setPointerCapture(event.pointerId);
    this.#isDragged = true;
    if (event.shiftKey) this.#selection.extendTo(position);
    else this.#selection.select(this.#pressed, position);
  }

  #up(event: PointerEvent): void {
    if (this.#held !== undefined) {
      event.stopImmediatePropagation();
      return;
    }
    const isDragged = this.#isDragged;
    this.#letGo();
    if (!isDragged) return;
    // the cursor does not move
    event.stopImmediatePropagation();
    this.#done(false);
  }

  #letGo(): void {
    this.#pressed = undefined;
    this.#isDragged = false;
  }

  /** Prevents the browser's selection and dragging in inputs. The focus follows the cursor. */
  #mouseDown(event: MouseEvent): void {
    const { target, detail } = event;
    if (event.button !== 0 || !(target instanceof Element) || target.closest('button, a') !== null) return;
    const position = this.#terminal.view.positionAt(event.clientX, event.clientY);
    // on the scroll bar
    if (position === undefined) return;
    event.preventDefault();
    if (this.#terminal.isOver) this.#terminal.element.focus({ preventScroll: true });
    const { columns } = this.#terminal.model;
    const area = detail === 2 ? this.#wordAt(position) : detail === 3 ? rowArea(position, columns) : undefined;
    if (area === undefined) return;
    this.#pressed = undefined;
    this.#selection.selectArea(area);
    this.#done(false);
  }

  #wordAt(position: number) {
    const { columns } = this.#terminal.model;
    return wordAt({ columns, cells: this.#terminal.model.cells() }, position);
  }

  #touchStart(event: TouchEvent): void {
    this.#forgetTouch();
    const [touch, second] = event.touches;
    if (touch === undefined || second !== undefined) return;
    const target = event.target as Element;
    const handle = target.closest<HTMLElement>(`.${HANDLE}`);
    if (handle !== null) {
      // the opposite corner stays
      this.#held = this.#cornerOpposite(handle.dataset.corner ?? '');
      return;
    }
    const position = this.#terminal.view.positionAt(touch.clientX, touch.clientY);
    if (position === undefined || target.closest('.marking') !== null) return;
    this.#start = { x: touch.clientX, y: touch.clientY };
    this.#timer = window.setTimeout(() => {
      this.#held = position;
      const area = this.#wordAt(position);
      if (area === undefined) this.#selection.select(position, position);
      else this.#selection.selectArea(area);
      getSelection()?.removeAllRanges();
      navigator.vibrate?.(10);
    }, LONG_PRESS_MILLISECONDS);
  }

  #cornerOpposite(corner: string): number | undefined {
    const { area } = this.#selection;
    if (area === undefined) return undefined;
    const { columns } = this.#terminal.model;
    return corner === 'first' ? area.lastRow * columns + area.lastColumn : area.row * columns + area.column;
  }

  #touchMove(event: TouchEvent): void {
    const [touch] = event.touches;
    if (touch === undefined) return;
    if (this.#held !== undefined) {
      // no scrolling
      event.preventDefault();
      this.#selection.select(this.#held, this.#overlay.nearest(touch.clientX, touch.clientY));
      return;
    }
    const { x, y } = this.#start ?? { x: touch.clientX, y: touch.clientY };
    if (Math.hypot(touch.clientX - x, touch.clientY - y) > TREMBLE) this.#forgetTouch();
  }

  #touchEnd(event?: TouchEvent): void {
    if (this.#held !== undefined) {
      // no click event
      event?.preventDefault();
      this.#done(true);
    }
    this.#forgetTouch();
  }

  #forgetTouch(): void {
    clearTimeout(this.#timer);
    this.#start = undefined;
    this.#held = undefined;
  }
}
