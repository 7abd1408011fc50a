import type { PdfUses } from './pdf-uses.js';
import type { TagInvocation } from './tag-invocation.js';

type Section = 'DOCOPT' | 'LAYOUT';

/** The options and layouts of a PDF that a template defines, as it is compiled (reference 2.11). */
export class PdfDeclarations {
  #linesPerPage: number | undefined;
  readonly #options = new Map<number, number | undefined>();
  #isVariable = false;
  #isUsed = false;
  readonly #layouts = new Set<number>();
  readonly #used: { readonly section: Section; readonly number: number; readonly tag: TagInvocation }[] = [];
  #open: { readonly section: Section; readonly number: number } | undefined;

  /** Some tag makes the page a PDF. */
  use(): void {
    this.#isUsed = true;
  }

  /** Where it is said twice, the last one counts. */
  linesPerPage(lines: number): void {
    this.use();
    if (this.#open?.section === 'DOCOPT') this.#options.set(this.#open.number, lines);
    else this.#linesPerPage = lines;
  }

  variable(): void {
    this.use();
    this.#isVariable = true;
  }

  begin(section: Section, number: number): void {
    this.use();
    this.#open = { section, number };
    if (section === 'DOCOPT') this.#options.set(number, undefined);
    else this.#layouts.add(number);
  }

  beginInput(): void {
    this.use();
    this.#open = undefined;
  }

  apply(section: Section, number: number, tag: TagInvocation): void {
    this.use();
    this.#used.push({ section, number, tag });
  }

  /** What is open where a tag stands; undefined: the input. */
  get opened(): string | undefined {
    return this.#open && `PDF-NEW-${this.#open.section}`;
  }

  /** All tags are read: numbers that nothing defines are reported. @returns undefined where no tag lays out a PDF */
  settle(report: (offset: number, message: string) => void): PdfUses | undefined {
    for (const { section, number, tag } of this.#used) {
      const isDefined = section === 'DOCOPT' ? this.#options.has(number) : this.#layouts.has(number);
      if (!isDefined) report(tag.offset, `${tag.name}: there is no PDF-NEW-${section} "${number}"`);
    }
    if (!this.#isUsed) return undefined;
    return { linesPerPage: this.#linesPerPage, options: this.#options, isVariable: this.#isVariable };
  }
}
