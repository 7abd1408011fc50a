import { button, make } from '../macros/dialog.js';
import { areaOf, type Stretch } from '../model/screen-area.js';
import { findText, LONGEST_SOUGHT } from '../model/screen-history.js';
import { words } from '../words/words.js';
import type { ScreenTools } from './screen-port.js';

export class FindBar {
  readonly #port: ScreenTools;
  readonly #openHistory: (sought: string) => void;
  readonly #bar: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #count: HTMLElement;
  #found: readonly Stretch[] = [];
  #before = 0;
  #at = 0;

  constructor(port: ScreenTools, openHistory: (sought: string) => void) {
    this.#port = port;
    this.#openHistory = openHistory;
    this.#input = make('input', { type: 'search', maxLength: LONGEST_SOUGHT, autocomplete: 'off', spellcheck: false });
    this.#input.ariaLabel = words('find.what');
    this.#count = make('span', { className: 'count' });
    this.#count.setAttribute('role', 'status');
    this.#bar = make(
      'div',
      { className: 'find-bar', hidden: true },
      this.#input,
      this.#count,
      button('↑', () => this.#step(-1), { ariaLabel: words('find.previous'), title: words('find.previous') }),
      button('↓', () => this.#step(1), { ariaLabel: words('find.next'), title: words('find.next') }),
      button(words('history'), () => this.#leadBack(), { className: 'lead-back' }),
      button('✕', () => this.close(), { ariaLabel: words('find.close'), title: words('find.close') }),
    );
    this.#bar.setAttribute('role', 'search');
    (document.querySelector('main') ?? document.body).append(this.#bar);
    this.#input.addEventListener('input', () => this.#lookAnew());
    this.#bar.addEventListener('keydown', (event) => this.#keyDown(event));
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape' && !this.#bar.hidden) this.#hide();
    });
    port.listen({ screen: () => this.#countBefore(), refreshed: () => this.#look(), ended: () => this.#hide() });
  }

  open(): void {
    this.#bar.hidden = false;
    this.#input.focus();
    this.#input.select();
    this.#lookAnew();
  }

  close(): void {
    this.#hide();
    this.#port.focus();
  }

  #hide(): void {
    if (this.#bar.hidden) return;
    const hadFocus = this.#bar.contains(document.activeElement);
    this.#bar.hidden = true;
    this.#draw();
    if (hadFocus) this.#port.focus();
  }

  #keyDown(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    if (key === 'Escape') this.close();
    else if (key === 'Enter' && event.target === this.#input) this.#step(shiftKey ? -1 : 1);
    else if (!/^F\d+$/.test(key) || !this.#port.pressKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #lookAnew(): void {
    this.#at = 0;
    this.#countBefore();
    this.#look();
  }

  #countBefore(): void {
    if (this.#bar.hidden) return;
    const before = this.#port.screens().slice(0, -1);
    this.#before = before.reduce((sum, screen) => sum + findText(screen, this.#input.value).length, 0);
  }

  #look(): void {
    if (this.#bar.hidden) return;
    this.#found = findText(this.#port.current(), this.#input.value);
    this.#at = Math.min(this.#at, Math.max(0, this.#found.length - 1));
    this.#draw();
  }

  #step(by: number): void {
    const to = this.#at + by;
    const isBeyond = to < 0 || to >= this.#found.length;
    if (isBeyond && this.#before > 0) {
      this.#leadBack();
      return;
    }
    this.#at = this.#found.length === 0 ? 0 : (to + this.#found.length) % this.#found.length;
    this.#draw();
  }

  #leadBack(): void {
    const sought = this.#input.value;
    this.#hide();
    this.#openHistory(sought);
  }

  #draw(): void {
    const { overlay } = this.#port;
    const { columns } = this.#port.current();
    const areas = this.#bar.hidden ? [] : this.#found.map((stretch) => areaOf(stretch, columns));
    overlay.draw('found', areas);
    overlay.draw('found-now', areas.slice(this.#at, this.#at + 1));
    if (this.#bar.hidden) return;
    const here =
      areas.length === 0 ? words('find.none') : words('find.count', { at: this.#at + 1, count: areas.length });
    const before = this.#before === 0 ? '' : ` ${words('find.before', { count: this.#before })}`;
    const text = this.#input.value.trim() === '' ? '' : here + before;
    if (this.#count.textContent !== text) this.#count.textContent = text;
  }
}
