import { ServiceError } from '../errors.js';
import type { PdfMark, PlacedPdfMark } from './pdf-uses.js';
import type { RenderContext } from './render-context.js';
import { ScreenPage } from './screen-page.js';
import { noValues, type Series } from './series.js';
import { templateLimits } from './template-limits.js';

export type CacheRule =
  | { readonly kind: 'cacheable' }
  | { readonly kind: 'notCacheable' }
  | { readonly kind: 'maxAge'; readonly seconds: number };

export interface RenderLimits {
  /** Bytes. */
  readonly outputBytes: number;
  readonly loopPasses: number;
  readonly work: number;
}

/** A compiled tag; acts on a rendering when it is reached. */
export interface TemplateNode {
  render(rendering: Rendering): void;
}

/** Literal text or a compiled tag. */
export type Segment = string | TemplateNode;

/** A rendering in progress: its output so far, its response, and the current position of each variable. */
export class Rendering {
  text = '';
  status = 200;
  reason: string | undefined = undefined;
  readonly headers: [string, string][] = [];
  /** Names of headers that are written without a blank behind their colon. */
  readonly tightHeaders = new Set<string>();
  cache: CacheRule = { kind: 'notCacheable' };
  /** Of SET-COUNTRY-CODE; empty if there was none. */
  countryCode = '';
  /** Offset in `text` where another charset begins. */
  readonly charsetChanges: { readonly at: number; readonly charset: string }[] = [];
  readonly pdfMarks: PlacedPdfMark[] = [];
  #page: ScreenPage<readonly Segment[]> | undefined;
  readonly #series: (Series | undefined)[];
  readonly #cursors: number[];
  #passes = 0;
  #work = 0;

  constructor(
    readonly file: string,
    readonly context: RenderContext,
    readonly limits: RenderLimits,
    readonly variables: readonly string[],
    /** SET-OUTPUT-ENCODING-UTF-8: country codes have no effect. */
    readonly isUtf8Only: boolean,
  ) {
    this.#series = new Array(variables.length);
    this.#cursors = new Array(variables.length).fill(0);
  }

  /** The page's settings for the host's screen. */
  get page(): ScreenPage<readonly Segment[]> {
    this.#page ??= new ScreenPage();
    return this.#page;
  }

  /** Undefined if the page sets nothing. */
  get pageSoFar(): ScreenPage<readonly Segment[]> | undefined {
    return this.#page;
  }

  renderAll(segments: readonly Segment[]): void {
    this.charge(segments.length);
    for (const segment of segments) {
      if (typeof segment === 'string') this.write(segment);
      else segment.render(this);
    }
  }

  write(text: string): void {
    this.text += text;
    // a UTF-16 unit is at least one byte; the exact count is made once, at the end
    if (this.text.length > this.limits.outputBytes)
      this.fail(`the page is longer than ${this.limits.outputBytes} bytes`);
  }

  /** The values of a variable, by its index; empty if it does not exist. */
  series(variable: number): Series {
    let series = this.#series[variable];
    if (series === undefined) {
      series = this.context.valuesOf(this.variables[variable] ?? '') ?? noValues;
      this.#series[variable] = series;
    }
    return series;
  }

  /** Sets the values of a variable for the rest of the rendering and keeps its position. Returns the previous values. */
  define(variable: number, series: Series): Series {
    const before = this.series(variable);
    this.#series[variable] = series;
    return before;
  }

  current(variable: number): string | undefined {
    const value = this.series(variable).at(this.#cursors[variable] ?? 0);
    if (value !== undefined) this.charge(value.length >>> 3);
    return value;
  }

  cursor(variable: number): number {
    return this.#cursors[variable] ?? 0;
  }

  moveTo(variable: number, cursor: number): void {
    this.#cursors[variable] = cursor;
  }

  advance(variable: number): void {
    this.#cursors[variable] = (this.#cursors[variable] ?? 0) + 1;
  }

  /** Counts one pass of a loop. */
  pass(): void {
    this.#passes += 1;
    if (this.#passes > this.limits.loopPasses) this.fail(`its loops make more than ${this.limits.loopPasses} passes`);
  }

  charge(work: number): void {
    this.#work += work;
    if (this.#work > this.limits.work) this.fail('the page takes too much work');
  }

  /** Changes the charset of what follows; a page in UTF-8 mode stays in UTF-8. */
  changeCharset(charset: string): void {
    if (this.isUtf8Only || this.charsetChanges.at(-1)?.charset === charset) return;
    this.charsetChanges.push({ at: this.text.length, charset });
  }

  markPdf(mark: PdfMark): void {
    if (this.pdfMarks.length >= templateLimits.pdfMarks)
      this.fail(`more than ${templateLimits.pdfMarks} of its tags lay out the PDF`);
    this.pdfMarks.push({ ...mark, at: this.text.length });
  }

  addHeader(name: string, value: string): void {
    if (this.headers.length >= templateLimits.headers) this.fail(`it adds more than ${templateLimits.headers} headers`);
    this.headers.push([name, value]);
  }

  fail(detail: string): never {
    throw new ServiceError('SVC_ERR_TEMPLATE_RENDERING', { detail: `${this.file}: ${detail}` });
  }
}
