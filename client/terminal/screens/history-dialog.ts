import { chordWords } from '../keys/chord.js';
import { button, labelled, make, openDialog } from '../macros/dialog.js';
import type { Stretch } from '../model/screen-area.js';
import { differences, findText, type KeptScreen, LONGEST_SOUGHT } from '../model/screen-history.js';
import { words } from '../words/words.js';
import { type Marks, picture } from './picture.js';
import { printScreens } from './printing.js';
import { saveAsPage, saveAsText, screenTitle } from './saving.js';
import type { ScreenTools } from './screen-port.js';

interface FoundPlace {
  readonly screen: number;
  readonly stretch: Stretch;
}

/** Earlier screens, newest last. It starts with the one before the newest. */
class HistoryView {
  readonly #port: ScreenTools;
  readonly #screens: readonly KeptScreen[];
  readonly #place = make('div', { className: 'history-place' });
  readonly #title = make('p', { className: 'history-title' });
  readonly #note = make('p', { className: 'quiet' });
  readonly #count = make('span', { className: 'count' });
  readonly #older = button(words('history.older'), () => this.go(-1), { title: chordWords('Alt+PageUp') });
  readonly #newer = button(words('history.newer'), () => this.go(1), { title: chordWords('Alt+PageDown') });
  readonly #mark = button(words('history.mark'), () => this.#toggleMark());
  readonly #all = make('input', { type: 'checkbox' });
  readonly #asSeen = make('input', { type: 'checkbox' });
  readonly #input = make('input', {
    type: 'search',
    maxLength: LONGEST_SOUGHT,
    autocomplete: 'off',
    spellcheck: false,
  });
  #at: number;
  #marked: KeptScreen | undefined;
  #found: readonly FoundPlace[] = [];
  #foundAt = -1;

  constructor(port: ScreenTools, sought: string) {
    this.#port = port;
    this.#screens = port.screens();
    this.#at = Math.max(0, this.#screens.length - 2);
    this.#count.setAttribute('role', 'status');
    this.#title.setAttribute('role', 'status');
    this.#note.setAttribute('role', 'status');
    this.#input.value = sought;
    this.#input.addEventListener('input', () => this.#seek());
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#step(event.shiftKey ? 1 : -1);
    });
    if (sought === '') this.#show();
    else this.#seek();
  }

  content(leave: () => void): readonly Node[] {
    const choice = (input: HTMLInputElement, text: string) => make('label', { className: 'choice' }, input, ` ${text}`);
    return [
      make(
        'div',
        { className: 'history-find' },
        labelled(words('find.what'), this.#input),
        button('↑', () => this.#step(-1), { ariaLabel: words('find.previous'), title: words('find.previous') }),
        button('↓', () => this.#step(1), { ariaLabel: words('find.next'), title: words('find.next') }),
        this.#count,
      ),
      make('div', { className: 'history-pages' }, this.#older, this.#newer, this.#title, this.#mark),
      this.#note,
      this.#place,
      make(
        'div',
        { className: 'answers' },
        button(words('history.print'), () => printScreens(this.#chosen(), this.#asSeen.checked)),
        button(words('history.saveText'), () => saveAsText(this.#chosen())),
        button(words('history.savePage'), () => saveAsPage(this.#chosen(), this.#port.element)),
        this.#screens.length < 2 ? undefined : choice(this.#all, words('history.all', { count: this.#screens.length })),
        choice(this.#asSeen, words('history.asSeen')),
        button(words('history.close'), leave),
      ),
    ];
  }

  /** Gets the focus first: a text field would open the on-screen keyboard over the screens. */
  get first(): HTMLElement {
    return matchMedia('(pointer: coarse)').matches && this.#input.value === '' ? this.#older : this.#input;
  }

  /** @param by negative for older screens */
  go(by: number): void {
    this.#foundAt = -1;
    this.#at = Math.max(0, Math.min(this.#screens.length - 1, this.#at + by));
    this.#show();
  }

  #chosen(): readonly KeptScreen[] {
    const screen = this.#screens[this.#at];
    return this.#all.checked ? this.#screens : screen === undefined ? [] : [screen];
  }

  #toggleMark(): void {
    this.#marked = this.#marked === undefined ? this.#screens[this.#at] : undefined;
    this.#mark.textContent = words(this.#marked === undefined ? 'history.mark' : 'history.unmark');
    this.#show();
  }

  #seek(): void {
    const sought = this.#input.value;
    this.#found = this.#screens.flatMap((screen, at) =>
      findText(screen, sought).map((stretch) => ({ screen: at, stretch })),
    );
    // search backwards from the newest
    this.#foundAt = this.#found.findLastIndex(({ screen }) => screen <= this.#at);
    this.#show();
    this.#reach();
  }

  #step(by: number): void {
    const { length } = this.#found;
    if (length === 0) return;
    this.#foundAt = (Math.max(0, this.#foundAt) + by + length) % length;
    this.#reach();
  }

  #reach(): void {
    const found = this.#found[this.#foundAt];
    if (found !== undefined) this.#at = found.screen;
    this.#show();
    this.#place.querySelector('.found-now')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #show(): void {
    const screen = this.#screens[this.#at];
    this.#older.disabled = this.#at === 0;
    this.#newer.disabled = this.#at >= this.#screens.length - 1;
    this.#mark.disabled = this.#screens.length < 2;
    if (screen === undefined) {
      this.#note.textContent = words('history.none');
      return;
    }
    this.#title.textContent = screenTitle(screen);
    const here = this.#found.filter((found) => found.screen === this.#at).map(({ stretch }) => stretch);
    const now = this.#found[this.#foundAt];
    const changed = this.#marked === undefined ? [] : differences(this.#marked, screen);
    const marks: Marks = [
      ['changed', changed],
      ['found', here],
      ['found-now', now?.screen === this.#at ? [now.stretch] : []],
    ];
    const shown = picture(screen, marks);
    shown.tabIndex = 0;
    shown.setAttribute('role', 'group');
    shown.ariaLabel = screenTitle(screen);
    this.#place.replaceChildren(shown);
    this.#note.textContent = this.#compared(screen, changed);
    const { length } = this.#found;
    const isSought = this.#input.value.trim() !== '';
    this.#count.textContent = !isSought
      ? ''
      : length === 0
        ? words('find.none')
        : words('find.count', { at: Math.max(0, this.#foundAt) + 1, count: length });
  }

  #compared(screen: KeptScreen, changed: readonly Stretch[]): string {
    const marked = this.#marked;
    if (marked === undefined) return '';
    if (marked === screen) return words('history.marked', { number: marked.number });
    if (changed.length === 0) return words('history.same', { number: marked.number });
    const count = changed.reduce((sum, { length }) => sum + length, 0);
    const rows = new Set(changed.map(({ position }) => Math.floor(position / screen.columns))).size;
    return words('history.differs', { count, rows: words('copied.rows', { count: rows }), number: marked.number });
  }
}

export async function openHistory(port: ScreenTools, sought = ''): Promise<void> {
  const view = new HistoryView(port, sought);
  const page = (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.shiftKey || !/^Page(?:Up|Down)$/.test(event.key)) return;
    event.preventDefault();
    view.go(event.key === 'PageUp' ? -1 : 1);
  };
  document.addEventListener('keydown', page);
  const focus = () => view.first;
  await openDialog<undefined>({ title: words('history.title'), className: 'history', focus }, (_, leave) =>
    view.content(leave),
  );
  document.removeEventListener('keydown', page);
  port.focus();
}
