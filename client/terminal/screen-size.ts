import { LARGEST_FONT, SMALLEST_FONT } from '../../src/terminal/settings/terminal-settings.js';
import type { Action } from './action-registry.js';
import { words } from './words/words.js';

const MEASURED = 64;
/** In em: 1233/2048, for the font of the page. */
const WIDTH_OF_CHARACTER = 1_233 / 2_048;

interface SizeSettings {
  get(name: 'fontSize'): 'fit' | number;
  set(name: 'fontSize', value: 'fit' | number): void;
}

export class ScreenSize {
  readonly #console: HTMLElement;
  readonly #settings: SizeSettings;
  readonly #probe = document.createElement('span');
  readonly #cellProbe = document.createElement('div');
  #spacing = 0;

  constructor(screen: HTMLElement, settings: SizeSettings) {
    this.#console = screen.parentElement ?? screen;
    this.#settings = settings;
    this.#probe.className = 'probe';
    this.#probe.textContent = '0'.repeat(MEASURED);
    const place = document.createElement('div');
    place.className = 'off-sight';
    place.setAttribute('aria-hidden', 'true');
    place.append(this.#probe);
    this.#console.append(place);
    this.#cellProbe.className = 'cell-probe';
    this.#cellProbe.setAttribute('aria-hidden', 'true');
    this.#console.append(this.#cellProbe);
    // observes the cell probe, because the probe of the text changes with the result
    new ResizeObserver(() => this.#settle()).observe(this.#cellProbe);
    new ResizeObserver(() => this.#measure()).observe(this.#probe);
    screen.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    document.addEventListener('keydown', (event) => this.#keyDown(event));
  }

  get actions(): readonly Action[] {
    return [
      { id: 'larger', label: words('size.larger'), run: () => this.#step(1) },
      { id: 'smaller', label: words('size.smaller'), run: () => this.#step(-1) },
      { id: 'fitWindow', label: words('size.fit'), run: () => this.#fit() },
    ];
  }

  show(): void {
    const size = this.#settings.get('fontSize');
    const { classList, style } = this.#console;
    classList.toggle('sized', size !== 'fit');
    if (size === 'fit') style.removeProperty('--own-cell');
    else style.setProperty('--own-cell', `${Math.round(size * WIDTH_OF_CHARACTER)}px`);
    this.#settle();
  }

  #step(by: number): void {
    const size = Math.round((Math.round(this.#cell) + by) / WIDTH_OF_CHARACTER);
    this.#settings.set('fontSize', Math.min(Math.max(size, SMALLEST_FONT), LARGEST_FONT));
  }

  #fit(): void {
    this.#settings.set('fontSize', 'fit');
  }

  get #cell(): number {
    return Number.parseFloat(getComputedStyle(this.#cellProbe).getPropertyValue('--cell'));
  }

  /**
   * Writes the cell size in pixels. With container units, Chromium restyles and lays out the whole screen whenever
   * anything beside it changes.
   */
  #settle(): void {
    if (this.#cellProbe.offsetWidth === 0) return;
    const computed = getComputedStyle(this.#cellProbe);
    for (const name of ['--cell', '--line']) this.#console.style.setProperty(name, computed.getPropertyValue(name));
  }

  /** Fonts and browsers round character widths: letter spacing fills the difference to the cell width. */
  #measure(): void {
    const width = this.#probe.getBoundingClientRect().width / MEASURED;
    const spacing = this.#cell - (width - this.#spacing);
    if (width === 0 || Math.abs(spacing - this.#spacing) < 1 / MEASURED / 8) return;
    this.#spacing = spacing;
    this.#console.style.setProperty('--spacing', `${spacing}px`);
  }

  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    this.#step(event.deltaY < 0 ? 1 : -1);
  }

  #keyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (event.key === '+' || event.key === '=') this.#step(1);
    else if (event.key === '-') this.#step(-1);
    else if (event.key === '0') this.#fit();
    else return;
    event.preventDefault();
  }
}
