import { escapes } from './escapes.js';
import { fieldIndexAt, fieldValue, type HostField, type HostRun, type HostScreen, isAttribute } from './host-screen.js';
import type { Rendering } from './rendering.js';
import { matching, type StyleRule, wordsOf } from './screen-page.js';

/** Options of the page in force where the tag stands (reference 2.8). */
export interface GenerateOptions {
  readonly withId: boolean;
  readonly withMaxLength: boolean;
}

const escapeHtml = escapes.get('HTML-ESCAPES') ?? ((text: string) => text);
const LONGEST_LABEL = 60;

/** Writes part of the screen as text and inputs, laid out like the screen; what comes from the host is always escaped. */
export function generateHtml(rendering: Rendering, from: number, to: number, options: GenerateOptions): void {
  const { screen } = rendering.context;
  if (screen === undefined) return;
  new HtmlWriter(rendering, screen, options).write(from, to);
}

class HtmlWriter {
  #text = '';
  #field: HostField | undefined;
  #run: HostRun | undefined;
  readonly #runAt: Map<number, HostRun>;
  readonly #done = new Set<HostField>();

  constructor(
    readonly rendering: Rendering,
    readonly screen: HostScreen,
    readonly options: GenerateOptions,
  ) {
    this.#runAt = new Map(screen.runs.map((run) => [run.start, run]));
  }

  write(from: number, to: number): void {
    const { screen, rendering } = this;
    rendering.charge(to - from);
    let at = from;
    const free = screen.fields.length === 0 ? freeField(screen) : undefined;
    while (at < to) {
      if (at > from && at % screen.columns === 0) this.#newLine();
      if (isAttribute(screen, at)) {
        this.#endField();
        this.#text += ' ';
        at++;
        continue;
      }
      const field = free !== undefined && at === free.start ? free : screen.fields[fieldIndexAt(screen, at)];
      if (field !== this.#field) this.#beginField(field);
      if (field !== undefined && !field.isProtected) {
        const lineEnd = Math.min(to, (Math.floor(at / screen.columns) + 1) * screen.columns);
        const end = Math.min(lineEnd, at + remaining(screen, field, at));
        if (this.#done.has(field)) this.#text += ' '.repeat(end - at);
        else this.#input(field, end - at);
        at = end;
        continue;
      }
      this.#character(at);
      at++;
    }
    this.#endField();
    this.#flush();
  }

  #character(at: number): void {
    const run = this.#runAt.get(at);
    if (run !== undefined && this.#run === undefined) {
      this.#flush();
      this.#run = run;
      this.#emit([...this.rendering.page.beforeCharacters].reverse(), runWords(run));
    }
    this.#text += this.screen.cells[at] ?? '';
    if (this.#run !== undefined && at + 1 >= this.#run.start + this.#run.length) this.#endRun();
  }

  #newLine(): void {
    this.#endRun();
    this.#text += '\n';
  }

  #beginField(field: HostField | undefined): void {
    this.#endField();
    this.#field = field;
    if (field === undefined) return;
    this.#flush();
    this.#emit([...this.rendering.page.before].reverse(), wordsOf(field));
  }

  #endField(): void {
    this.#endRun();
    if (this.#field === undefined) return;
    this.#flush();
    this.#emit(this.rendering.page.after, wordsOf(this.#field));
    this.#field = undefined;
  }

  #endRun(): void {
    if (this.#run === undefined) return;
    this.#flush();
    this.#emit(this.rendering.page.afterCharacters, runWords(this.#run));
    this.#run = undefined;
  }

  #input(field: HostField, size: number): void {
    const { rendering, screen, options } = this;
    const { page, context } = rendering;
    this.#flush();
    this.#done.add(field);
    page.offered.add(field.start);
    const name = escapeHtml(page.nameOf(screen, field));
    rendering.write('<input ');
    for (const { body } of matching(page.inputs, wordsOf(field))) {
      rendering.renderAll(body);
      rendering.write(' ');
    }
    const type = field.isNonDisplayable ? 'password' : 'text';
    const value = fieldValue(screen, field);
    const attributes = [
      `type="${type}" name="${name}" size="${size}"`,
      options.withId ? `id="${name}"` : '',
      options.withMaxLength ? `maxlength="${field.length}"` : '',
      value === '' ? '' : `value="${escapeHtml(value)}"`,
      field.isNumeric ? 'inputmode="decimal"' : '',
      field.isNonDisplayable && context.encryptsFields ? 'VCRYPT' : '',
      `aria-label="${escapeHtml(labelOf(screen, field))}" autocomplete="off" spellcheck="false"`,
    ];
    rendering.write(`${attributes.filter((attribute) => attribute !== '').join(' ')}>`);
  }

  #emit(rules: readonly StyleRule[], words: ReadonlySet<string>): void {
    for (const { body } of matching(rules, words)) this.rendering.renderAll(body);
  }

  #flush(): void {
    if (this.#text !== '') this.rendering.write(escapeHtml(this.#text));
    this.#text = '';
  }
}

/** What can be typed into on an unformatted screen: from the cursor to the end of its row. */
export function freeField({ cursor, columns }: HostScreen): HostField {
  return {
    start: cursor,
    length: columns - (cursor % columns),
    isProtected: false,
    isNumeric: false,
    isNonDisplayable: false,
    isIntensified: false,
    isDetectable: false,
    isModified: false,
    colour: 'NOCOLOR',
    highlighting: 'NOHILIGHT',
  };
}

/** The protected text before a field on its row, without the dots that lead to it: what a screen reader says of the field. */
export function labelOf(screen: HostScreen, { start }: HostField): string {
  const row = Math.floor(start / screen.columns);
  let text = '';
  for (let at = row * screen.columns; at < start; at++) {
    const field = screen.fields[fieldIndexAt(screen, at)];
    if (isAttribute(screen, at)) text += ' ';
    else if (field === undefined || field.isProtected) text += screen.cells[at] ?? '';
    else text = '';
  }
  const words = text
    .replace(/(?:\s*[.:=>_-])+\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const column = (start % screen.columns) + 1;
  return words === '' ? `Row ${row + 1}, column ${column}` : words.slice(-LONGEST_LABEL);
}

function remaining(screen: HostScreen, { start, length }: HostField, at: number): number {
  const positions = screen.rows * screen.columns;
  return length - ((at - start + positions) % positions);
}

function runWords({ colour, highlighting }: HostRun): Set<string> {
  return new Set([colour, highlighting]);
}
