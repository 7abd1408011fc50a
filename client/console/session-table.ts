import { instantText } from '../../src/lib/text/instant-text.js';
import { pageLanguage, word } from './console-words.js';
import { remark, type SessionChanges, type SessionRow, SessionRows, type SortKey } from './session-rows.js';

/** As in the page without script. */
const PAGE_ROWS = 100;
const COUNT = new Intl.NumberFormat(pageLanguage());

interface TableElements {
  readonly section: HTMLElement;
  readonly search: HTMLInputElement;
  readonly count: HTMLElement;
}

interface ShownRow {
  readonly element: HTMLTableRowElement;
  readonly link: HTMLAnchorElement;
  readonly remark: HTMLElement;
  readonly cells: readonly HTMLElement[];
}

const columns = ['user', 'transaction', 'host', 'unit', 'line', 'address', 'since', 'idle'] as const;

export class SessionTable {
  readonly #rows = new SessionRows();
  readonly #elements: TableElements;
  readonly #body: HTMLTableSectionElement;
  readonly #nothing: HTMLElement;
  readonly #paging: HTMLElement;
  readonly #heads: readonly HTMLTableCellElement[];
  #shown: ShownRow[] = [];
  #sort: SortKey = 'began';
  #isDescending = true;
  #page = 0;

  static of(section: HTMLElement | null): SessionTable | undefined {
    const search = document.querySelector<HTMLInputElement>('#session-search input');
    const count = document.getElementById('session-count');
    const [body, nothing, paging] = [
      section?.querySelector('tbody'),
      document.getElementById('no-session'),
      section?.querySelector<HTMLElement>('nav.paging'),
    ];
    if (!section || !search || !count || !body || !nothing || !paging) return undefined;
    return new SessionTable({ section, search, count }, body, nothing, paging);
  }

  private constructor(
    elements: TableElements,
    body: HTMLTableSectionElement,
    nothing: HTMLElement,
    paging: HTMLElement,
  ) {
    this.#elements = elements;
    this.#body = body;
    this.#nothing = nothing;
    this.#paging = paging;
    this.#heads = [...elements.section.querySelectorAll<HTMLTableCellElement>('th[data-sort]')];
    for (const head of this.#heads) this.#sortBy(head);
    this.#searchAsTyped();
    this.#moveByArrows();
  }

  take(changes: SessionChanges): void {
    this.#rows.take(changes);
    this.show();
  }

  show(): void {
    const { search, count } = this.#elements;
    const found = this.#rows.found(search.value, this.#sort, this.#isDescending);
    const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
    this.#page = Math.min(this.#page, pages - 1);
    const first = this.#page * PAGE_ROWS;
    const rows = found.slice(first, first + PAGE_ROWS);
    while (this.#shown.length > rows.length) this.#shown.pop();
    while (this.#shown.length < rows.length) this.#shown.push(newRow());
    for (const [at, row] of rows.entries()) this.#showRow(this.#shown[at] as ShownRow, row);
    const elements = this.#shown.map(({ element }) => element);
    const isSame =
      elements.length === this.#body.children.length && elements.every((one, at) => one === this.#body.children[at]);
    if (!isSame) this.#body.replaceChildren(...elements);
    const isPart = search.value.trim() !== '';
    put(
      count,
      isPart
        ? word('countOf', { count: COUNT.format(found.length), all: COUNT.format(this.#rows.size) })
        : COUNT.format(this.#rows.size),
    );
    this.#nothing.hidden = found.length > 0;
    this.#showPaging(pages);
  }

  #showRow({ link, remark: small, cells }: ShownRow, row: SessionRow): void {
    const address = `/sessions/${encodeURIComponent(row.id)}`;
    if (link.getAttribute('href') !== address) link.href = address;
    put(link, row.user || word('nobody'));
    put(small, remark(row));
    const began = instantText(new Date(row.began), pageLanguage());
    const texts = [row.transaction, row.host, row.unit, row.line, row.address, began, this.#rows.idleText(row)];
    for (const [at, text] of texts.entries()) put(cells[at] as HTMLElement, text || '–');
  }

  #showPaging(pages: number): void {
    const buttons: (HTMLElement | string)[] = [];
    const step = (label: string, by: number) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'secondary';
      button.textContent = label;
      button.addEventListener('click', () => {
        this.#page += by;
        this.show();
        [...this.#paging.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.focus();
      });
      return button;
    };
    if (this.#page > 0) buttons.push(step(word('previous'), -1), ' ');
    const words = document.createElement('span');
    words.textContent =
      pages > 1 ? word('pageOf', { page: COUNT.format(this.#page + 1), pages: COUNT.format(pages) }) : '';
    buttons.push(words);
    if (this.#page < pages - 1) buttons.push(' ', step(word('next'), 1));
    // unchanged buttons are not replaced: the user may be about to press one
    const state = `${this.#page} ${pages}`;
    if (this.#paging.dataset.state === state) return;
    this.#paging.dataset.state = state;
    this.#paging.replaceChildren(...buttons);
  }

  #sortBy(head: HTMLTableCellElement): void {
    const key = head.dataset.sort as SortKey;
    const order = head.getAttribute('aria-sort');
    if (order !== null) [this.#sort, this.#isDescending] = [key, order === 'descending'];
    head.querySelector('a')?.addEventListener('click', (event) => {
      event.preventDefault();
      this.#isDescending = this.#sort === key ? !this.#isDescending : false;
      this.#sort = key;
      this.#page = 0;
      for (const other of this.#heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', this.#isDescending ? 'descending' : 'ascending');
      this.show();
    });
  }

  #searchAsTyped(): void {
    const { search } = this.#elements;
    const find = () => {
      this.#page = 0;
      this.show();
    };
    search.addEventListener('input', find);
    search.form?.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#body.querySelector('a')?.focus();
    });
    document.addEventListener('keydown', (event) => {
      const { target } = event;
      if (event.key !== '/' || target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      search.focus();
      search.select();
    });
  }

  #moveByArrows(): void {
    document.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      const links = [...this.#body.querySelectorAll('a')];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      const isInSearch = document.activeElement === this.#elements.search;
      if (at < 0 && !(isInSearch && event.key === 'ArrowDown')) return;
      event.preventDefault();
      const next = at + (event.key === 'ArrowDown' ? 1 : -1);
      if (next < 0) this.#elements.search.focus();
      else links[next]?.focus();
    });
  }
}

function newRow(): ShownRow {
  const element = document.createElement('tr');
  const cells = columns.map((label) => {
    const cell = element.insertCell();
    cell.dataset.label = word(label);
    return cell;
  });
  const [first, ...others] = cells;
  const words = document.createElement('span');
  const link = document.createElement('a');
  const small = document.createElement('small');
  small.className = 'quiet remark';
  words.append(link, ' ', small);
  first?.append(words);
  return { element, link, remark: small, cells: others };
}

function put(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
