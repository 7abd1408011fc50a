import { HTML_TAIL, htmlHead, htmlTable, printScreen } from './print-text.js';
import type { ScreenSnapshot } from './screen-snapshot.js';

export interface ScreenTraceTools {
  readonly userAndHost: string;
  /** Appends a text to a file. Returns a function that appends more. */
  textInto(file: string, text: string): (text: string) => void;
  temporaryFile(name: 'x3trc' | 'x3scr', kind?: 'txt' | 'html'): string;
}

export const screenForms = ['text', 'html'] as const;
type ScreenForm = (typeof screenForms)[number];

const SEPARATOR = '='.repeat(80);

/**
 * Writes each screen before it is cleared, and the last one at the end. Non-displayable data is blank. Source: the
 * files of s3270 4.1, line by line.
 */
export class ScreenTrace {
  readonly #form: ScreenForm;
  readonly #write: (text: string) => void;
  #hasScreens = false;

  constructor(
    readonly file: string,
    form: ScreenForm,
    write: (text: string) => void,
  ) {
    this.#form = form;
    this.#write = write;
  }

  save(picture: ScreenSnapshot): void {
    const isEmpty = picture.characters.every((character) => character === ' ' || character === '');
    if (isEmpty && !picture.formatted) return;
    this.#add(this.#form === 'html' ? htmlTable(picture) : this.#text(picture));
    this.#hasScreens = true;
  }

  end(picture: ScreenSnapshot): void {
    this.save(picture);
    if (this.#form === 'html') this.#add(HTML_TAIL);
  }

  #text(picture: ScreenSnapshot): readonly string[] {
    const lines = printScreen(picture, { form: 'text', caption: undefined, information: undefined });
    return this.#hasScreens ? [SEPARATOR, ...lines] : lines;
  }

  #add(lines: readonly string[]): void {
    this.#write(lines.map((line) => `${line}\n`).join(''));
  }
}

export function beginScreenTrace(
  tools: ScreenTraceTools,
  { form = 'text', file }: { readonly form?: ScreenForm | undefined; readonly file?: string | undefined },
): ScreenTrace {
  const target = file ?? tools.temporaryFile('x3scr', form === 'html' ? 'html' : 'txt');
  const heading = `${tools.userAndHost} ${timeOf(new Date())}`;
  const head = form === 'html' ? htmlHead(heading) : [heading, ''];
  return new ScreenTrace(target, form, tools.textInto(target, head.map((line) => `${line}\n`).join('')));
}

function timeOf(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  return `${date} ${[moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':')}`;
}
