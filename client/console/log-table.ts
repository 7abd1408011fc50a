import { pageLanguage, word } from './console-words.js';
import type { LogChanges, LogRow } from './log-rows.js';
import { newestRows } from './log-rows.js';

const MOST_ROWS = 500;
const COUNT = new Intl.NumberFormat(pageLanguage());

export class LogTable {
  readonly topic: string;
  readonly #body: HTMLTableSectionElement;
  readonly #button: HTMLButtonElement;
  readonly #news: HTMLElement;
  readonly #nothing: HTMLElement;
  readonly #paging: HTMLElement;
  #began: number;
  #newest: number;
  #waiting: HTMLTableRowElement[] = [];
  #isPaused = false;

  static of(section: HTMLElement | null): LogTable | undefined {
    const button = document.querySelector<HTMLButtonElement>('#log-pause');
    const [body, news, nothing, paging] = [
      section?.querySelector('tbody'),
      document.getElementById('log-news'),
      document.getElementById('no-line'),
      section?.querySelector<HTMLElement>('nav.paging'),
    ];
    const { topic, began } = section?.dataset ?? {};
    if (!topic || !began || !button || !body || !news || !nothing || !paging) return undefined;
    return new LogTable(topic, Number(began), body, { button, news, nothing, paging });
  }

  private constructor(
    topic: string,
    began: number,
    body: HTMLTableSectionElement,
    elements: Record<'news' | 'nothing' | 'paging', HTMLElement> & { readonly button: HTMLButtonElement },
  ) {
    this.topic = topic;
    this.#began = began;
    this.#newest = Number(topic.split(':')[1]);
    this.#body = body;
    this.#button = elements.button;
    this.#news = elements.news;
    this.#nothing = elements.nothing;
    this.#paging = elements.paging;
    this.#button.hidden = false;
    this.#button.addEventListener('click', () => this.#pauseOrResume());
  }

  take(changes: LogChanges): void {
    // a reconnected stream sends known entries again
    const isSameStart = changes.began === this.#began;
    const { rows, isCut } = newestRows(changes, isSameStart ? this.#newest : 0);
    this.#began = changes.began;
    this.#newest = rows[0]?.number ?? (isSameStart ? this.#newest : 0);
    const elements = rows.map(elementOf);
    if (isCut) elements.push(cutElement());
    this.#waiting = [...elements, ...this.#waiting].slice(0, MOST_ROWS);
    this.#show();
  }

  #pauseOrResume(): void {
    this.#isPaused = !this.#isPaused;
    this.#button.textContent = word(this.#isPaused ? 'resume' : 'pause');
    this.#show();
  }

  #show(): void {
    const count = this.#waiting.length;
    this.#news.textContent = this.#isPaused
      ? word(count === MOST_ROWS ? 'pausedMany' : 'paused', { count: COUNT.format(count) })
      : '';
    if (this.#isPaused || count === 0) return;
    this.#body.prepend(...this.#waiting);
    this.#waiting = [];
    this.#nothing.hidden = true;
    // the link to the next page would skip the rows that the table has dropped
    if (this.#body.rows.length > MOST_ROWS) this.#paging.hidden = true;
    while (this.#body.rows.length > MOST_ROWS) this.#body.lastElementChild?.remove();
  }
}

function elementOf({ time, level, message, details }: LogRow): HTMLTableRowElement {
  const element = document.createElement('tr');
  element.dataset.level = level;
  const cells = (['time', 'level', 'message'] as const).map((label) => {
    const cell = element.insertCell();
    cell.dataset.label = word(label);
    return cell;
  });
  const words = document.createElement('span');
  const code = document.createElement('code');
  code.className = 'details';
  code.textContent = details;
  // log messages are in English
  words.lang = 'en';
  words.append(message, document.createElement('br'), code);
  for (const [at, content] of [time.replace('T', ' ').replace('Z', ''), level, words].entries())
    cells[at]?.append(content);
  return element;
}

function cutElement(): HTMLTableRowElement {
  const element = document.createElement('tr');
  const cell = element.insertCell();
  cell.colSpan = 3;
  cell.className = 'quiet';
  cell.dataset.label = '';
  cell.append(word('cut'));
  return element;
}
