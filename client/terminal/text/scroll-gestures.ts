import type { HotspotLabel } from '../model/hotspot-labels.js';
import { scrollKeys } from '../model/scroll-keys.js';
import type { Terminal } from '../terminal.js';

/** Wheel delta of about one notch. */
const NOTCH = 60;
/** Inertia events of one wheel or trackpad movement arrive within this time. */
const ONE_MOVEMENT_MILLISECONDS = 250;
/** Shortest swipe in pixels. */
const SWIPE = 60;
const SWIPE_MILLISECONDS = 800;

/** Pages by wheel or swipe if the host offers keys for it and nothing can be scrolled. */
export class ScrollGestures {
  readonly #terminal: Terminal;
  readonly #labels: () => readonly HotspotLabel[];
  readonly #isOn: () => boolean;
  #turned = 0;
  #lastTurn = 0;
  #hasPaged = false;
  #touch: { readonly x: number; readonly y: number; readonly at: number; readonly scrolled: number } | undefined;

  constructor(terminal: Terminal, labels: () => readonly HotspotLabel[], isOn: () => boolean) {
    this.#terminal = terminal;
    this.#labels = labels;
    this.#isOn = isOn;
    const { element } = terminal;
    element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    element.addEventListener('touchstart', (event) => this.#touchStart(event), { passive: true });
    element.addEventListener('touchend', (event) => this.#touchEnd(event), { passive: true });
  }

  #wheel(event: WheelEvent): void {
    const { deltaY, deltaX, deltaMode, ctrlKey, shiftKey, timeStamp } = event;
    if (!this.#isOn() || ctrlKey || shiftKey || event.defaultPrevented || Math.abs(deltaX) > Math.abs(deltaY)) return;
    if (canScroll(this.#terminal.element, deltaY) || canScroll(document.scrollingElement, deltaY)) return;
    const key = this.#keyFor(deltaY > 0);
    if (key === undefined) return;
    event.preventDefault();
    if (timeStamp - this.#lastTurn > ONE_MOVEMENT_MILLISECONDS || this.#turned * deltaY < 0) {
      this.#turned = 0;
      this.#hasPaged = false;
    }
    this.#lastTurn = timeStamp;
    this.#turned += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * NOTCH;
    if (this.#hasPaged || Math.abs(this.#turned) < NOTCH) return;
    this.#hasPaged = true;
    this.#page(key);
  }

  #touchStart({ touches, timeStamp }: TouchEvent): void {
    const [touch, second] = touches;
    this.#touch =
      touch === undefined || second !== undefined
        ? undefined
        : { x: touch.clientX, y: touch.clientY, at: timeStamp, scrolled: this.#scrolled };
  }

  #touchEnd(event: TouchEvent): void {
    const begun = this.#touch;
    this.#touch = undefined;
    const [touch] = event.changedTouches;
    if (!this.#isOn() || begun === undefined || touch === undefined || event.defaultPrevented) return;
    const [right, down] = [touch.clientX - begun.x, touch.clientY - begun.y];
    const isSwipe = Math.abs(down) > SWIPE && Math.abs(right) < Math.abs(down) / 2;
    if (!isSwipe || event.timeStamp - begun.at > SWIPE_MILLISECONDS || this.#scrolled !== begun.scrolled) return;
    const key = this.#keyFor(down < 0);
    if (key !== undefined) this.#page(key);
  }

  /** A change between start and end of a touch means that the browser has scrolled. */
  get #scrolled(): number {
    return this.#terminal.element.scrollTop + (document.scrollingElement?.scrollTop ?? 0);
  }

  #keyFor(isForward: boolean): string | undefined {
    const { forward, back } = scrollKeys(this.#labels());
    return isForward ? forward : back;
  }

  /** Without type-ahead, so that paging stops with the wheel. */
  #page(key: string): void {
    const { model, user, isOver } = this.#terminal;
    if (model.lock === 0 && !user.isOccupied && !isOver) user.send(key);
  }
}

function canScroll(element: Element | null, down: number): boolean {
  if (element === null) return false;
  const rest = down > 0 ? element.scrollHeight - element.clientHeight - element.scrollTop : element.scrollTop;
  return rest >= 1 && getComputedStyle(element).overflowY !== 'hidden';
}
