import { ServiceError } from '../lib/errors.js';
import { type LaidOutPage, MOST_SHEETS, TOO_MANY_SHEETS } from '../tn3270/print/printed-page.js';
import type { PdfMark, PdfUses, PlacedPdfMark } from './rendering.js';

interface OpenPage {
  text: string;
  layout: number | undefined;
  linesPerPage: number | undefined;
  readonly entries: number[];
}

const LINE_END = /\r?\n/;
const LEADING_LINE_END = /^\r?\n/;
const LAST_LINE_END = /\r?\n$/;
const LONGEST_TITLE = 256;

/**
 * Pages of a rendered text. The text of a layout is printed beneath the pages that use it; text in options is not
 * printed.
 * @throws ServiceError SVC_ERR_TEMPLATE_RENDERING if there are too many pages
 */
export function pdfPagesOf(text: string, marks: readonly PlacedPdfMark[], uses: PdfUses): readonly LaidOutPage[] {
  const pages = new PdfPages(uses);
  let from = 0;
  for (const mark of marks) {
    pages.add(text.slice(from, mark.at));
    pages.mark(mark);
    from = mark.at;
  }
  pages.add(text.slice(from));
  return pages.end();
}

class PdfPages {
  readonly #uses: PdfUses;
  readonly #layouts = new Map<number, string>();
  readonly #pages: OpenPage[] = [];
  #target: 'input' | 'options' | number = 'input';
  #page: OpenPage;
  /** Removes the line of a tag that is alone on it. */
  #skipsLineEnd = false;

  constructor(uses: PdfUses) {
    this.#uses = uses;
    this.#page = { text: '', layout: undefined, linesPerPage: uses.linesPerPage, entries: [] };
  }

  add(text: string): void {
    const added = this.#skipsLineEnd ? text.replace(LEADING_LINE_END, '') : text;
    if (text !== '') this.#skipsLineEnd = false;
    if (typeof this.#target === 'number') {
      this.#layouts.set(this.#target, (this.#layouts.get(this.#target) ?? '') + added);
    } else if (this.#target === 'input') {
      const [first = '', ...others] = added.split('\f');
      this.#page.text += first;
      for (const other of others) {
        this.#begin();
        this.#page.text = other;
      }
    }
  }

  mark(mark: PdfMark): void {
    this.#skipsLineEnd = mark.kind !== 'outline';
    switch (mark.kind) {
      case 'newLayout':
        this.#target = mark.number;
        this.#layouts.set(mark.number, '');
        break;
      case 'newOptions':
        this.#target = 'options';
        break;
      case 'newInput':
        this.#target = 'input';
        if (this.#page.text.trim() === '') this.#page.text = '';
        else this.#begin();
        break;
      case 'useLayout':
        this.#page.layout = mark.number;
        break;
      case 'useOptions':
        this.#page.linesPerPage = this.#uses.options.get(mark.number) ?? this.#uses.linesPerPage;
        break;
      case 'outline':
        this.#page.entries.push(this.#page.text.length);
    }
  }

  end(): LaidOutPage[] {
    const layouts = new Map([...this.#layouts].map(([number, text]) => [number, linesOf(text)]));
    return [...this.#pages, this.#page].map(({ text, layout, linesPerPage, entries }) => ({
      lines: linesOf(text),
      linesPerPage,
      behind: (layout === undefined ? undefined : layouts.get(layout)) ?? [],
      outline: outlineOf(text, entries),
    }));
  }

  #begin(): void {
    this.#pages.push(this.#page);
    if (this.#pages.length >= MOST_SHEETS)
      throw new ServiceError('SVC_ERR_TEMPLATE_RENDERING', { detail: TOO_MANY_SHEETS });
    this.#page = { ...this.#page, text: '', entries: [] };
  }
}

function linesOf(text: string): string[] {
  return text.replace(LAST_LINE_END, '').split(LINE_END);
}

/** The title of an entry is the rest of its line; an empty title creates no entry. */
function outlineOf(text: string, entries: readonly number[]): { readonly title: string; readonly line: number }[] {
  const outline: { readonly title: string; readonly line: number }[] = [];
  let line = 0;
  let next = text.indexOf('\n');
  for (const at of entries) {
    while (next >= 0 && next < at) {
      line++;
      next = text.indexOf('\n', next + 1);
    }
    const title = text
      .slice(at, next < 0 ? undefined : next)
      .trim()
      .slice(0, LONGEST_TITLE);
    if (title !== '') outline.push({ title, line });
  }
  return outline;
}
