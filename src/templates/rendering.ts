import { ServiceError } from '../lib/errors.js';
import type { RenderContext } from './render-context.js';
import { ScreenPage } from './screen-page.js';
import { noValues, type Series } from './series.js';
import { templateLimits } from './template-limits.js';

export type CacheRule =
  | { readonly kind: 'cacheable' }
  | { readonly kind: 'notCacheable' }
  | { readonly kind: 'maxAge'; readonly seconds: number };

export interface RenderLimits {
  readonly outputBytes: number;
  readonly loopPasses: number;
  readonly work: number;
}

/** A compiled tag. A text entered by `render` is rendered next. */
export interface TemplateNode {
  /** Number of rendered segments including the tag; infinite for loops, default 1. */
  readonly size?: number;
  render(rendering: Rendering): void;
}

export interface Passes {
  /** Called before each pass. @returns false after the last pass */
  next(rendering: Rendering): boolean;
}

export type Segment = string | TemplateNode;

const MOST_OF_SHORT = 32;

export function sizeOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, each) => sum + (typeof each === 'string' ? 1 : (each.size ?? 1)), 0);
}

export function isShort(segments: readonly Segment[]): boolean {
  return sizeOf(segments) <= MOST_OF_SHORT;
}

interface Frame {
  readonly segments: readonly Segment[];
  at: number;
  readonly passes: Passes | undefined;
  readonly outer: Frame | undefined;
}

/** Work before the first pause; enough for most pages. */
const FIRST_STRETCH = 20_000;
const STRETCH = 2_000;
const SEGMENTS_AT_A_STRETCH = 64;
/** Also pauses after this number of characters, because escaping them takes time. */
const LENGTH_OF_STRETCH = 32_768;
const LENGTH_OF_FIRST_STRETCH = 327_680;

export class Rendering {
  text = '';
  status = 200;
  reason: string | undefined = undefined;
  readonly headers: [string, string][] = [];
  readonly tightHeaders = new Set<string>();
  cache: CacheRule = { kind: 'notCacheable' };
  /** SET-COUNTRY-CODE; empty if there is none. */
  countryCode = '';
  readonly charsetChanges: { readonly at: number; readonly charset: string }[] = [];
  readonly pdfMarks: PlacedPdfMark[] = [];
  /** Inline scripts that contain only text of the file and key tags. */
  readonly inlineScripts = new Set<string>();
  #scriptFrom: number | undefined;
  #page: ScreenPage<readonly Segment[]> | undefined;
  readonly #series: (Series | undefined)[];
  readonly #cursors: number[];
  #passes = 0;
  #work = 0;
  #frame: Frame | undefined;
  #restAt = FIRST_STRETCH;
  #restAtLength = LENGTH_OF_FIRST_STRETCH;

  constructor(
    readonly file: string,
    public context: RenderContext,
    readonly limits: RenderLimits,
    readonly variables: readonly string[],
    /** SET-OUTPUT-ENCODING-UTF-8, which disables country codes. */
    readonly isUtf8Only: boolean,
  ) {
    this.#series = new Array(variables.length);
    this.#cursors = new Array(variables.length).fill(0);
  }

  get page(): ScreenPage<readonly Segment[]> {
    this.#page ??= new ScreenPage();
    return this.#page;
  }

  get pageSoFar(): ScreenPage<readonly Segment[]> | undefined {
    return this.#page;
  }

  /** Schedules a text as the next one to render: once, or in passes. */
  enter(segments: readonly Segment[], passes?: Passes): void {
    const { length } = segments;
    if (passes === undefined) this.#begin(length);
    this.#frame = { segments, at: passes === undefined ? 0 : length, passes, outer: this.#frame };
  }

  renderAll(segments: readonly Segment[]): void {
    const outer = this.#frame;
    this.enter(segments);
    this.#carryOn(outer, false);
  }

  renderShort(segments: readonly Segment[]): void {
    this.charge(segments.length);
    for (const segment of segments) {
      if (typeof segment === 'string') this.write(segment);
      else segment.render(this);
    }
  }

  /** Renders until the next pause. @returns true if the page is complete */
  goOn(): boolean {
    if (this.#carryOn(undefined, true)) return true;
    this.#restAt = this.#work + STRETCH;
    this.#restAtLength = this.text.length + LENGTH_OF_STRETCH;
    return false;
  }

  get isRestDue(): boolean {
    return this.#work >= this.#restAt || this.text.length >= this.#restAtLength;
  }

  #carryOn(outer: Frame | undefined, mayRest: boolean): boolean {
    for (let frame = this.#frame; frame !== undefined && frame !== outer; frame = this.#frame) {
      if (mayRest && this.isRestDue) return false;
      const { segments, passes } = frame;
      const { length } = segments;
      if (frame.at === length) {
        if (passes?.next(this) !== true) {
          this.#frame = frame.outer;
          continue;
        }
        this.#begin(length);
        frame.at = 0;
      }
      const from = frame.at;
      const to = Math.min(from + SEGMENTS_AT_A_STRETCH, length);
      while (frame.at < to) {
        const segment = segments[frame.at++] as Segment;
        if (typeof segment === 'string') this.write(segment);
        else {
          segment.render(this);
          if (this.#frame !== frame || this.#work >= this.#restAt) break;
        }
      }
      if (length > SEGMENTS_AT_A_STRETCH) this.#restAt -= frame.at - from;
    }
    return true;
  }

  /**
   * Charges all segments at once. For a long text, the limit of the next pause rises by the same amount and falls as
   * they are rendered.
   */
  #begin(length: number): void {
    this.charge(length);
    if (length > SEGMENTS_AT_A_STRETCH) this.#restAt += length;
  }

  write(text: string): void {
    this.text += text;
    // a UTF-16 unit is at least one byte; the exact count follows at the end
    if (this.text.length > this.limits.outputBytes)
      this.fail(`the page is longer than ${this.limits.outputBytes} bytes`);
  }

  series(variable: number): Series {
    let series = this.#series[variable];
    if (series === undefined) {
      series = this.context.valuesOf(this.variables[variable] ?? '') ?? noValues;
      this.#series[variable] = series;
    }
    return series;
  }

  /**
   * Replaces the values of a variable for the rest of the rendering, keeping its position. Returns the previous values.
   */
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

  pass(): void {
    this.#passes += 1;
    if (this.#passes > this.limits.loopPasses) this.fail(`its loops make more than ${this.limits.loopPasses} passes`);
  }

  charge(work: number): void {
    this.#work += work;
    if (this.#work > this.limits.work) this.fail('the page requires too many operations');
  }

  changeCharset(charset: string): void {
    if (this.isUtf8Only || this.charsetChanges.at(-1)?.charset === charset) return;
    this.charsetChanges.push({ at: this.text.length, charset });
  }

  markPdf(mark: PdfMark): void {
    if (this.pdfMarks.length >= templateLimits.pdfMarks)
      this.fail(`more than ${templateLimits.pdfMarks} of its tags lay out the PDF`);
    this.pdfMarks.push({ ...mark, at: this.text.length });
  }

  beginScript(): void {
    this.#scriptFrom = this.text.length;
  }

  endScript(): void {
    if (this.#scriptFrom === undefined) return;
    const script = this.text.slice(this.#scriptFrom);
    this.#scriptFrom = undefined;
    this.charge(script.length >>> 3);
    if (script !== '') this.inlineScripts.add(script);
  }

  addHeader(name: string, value: string): void {
    if (this.headers.length >= templateLimits.headers) this.fail(`it adds more than ${templateLimits.headers} headers`);
    this.headers.push([name, value]);
  }

  fail(detail: string): never {
    throw new ServiceError('SVC_ERR_TEMPLATE_RENDERING', { detail: `${this.file}: ${detail}` });
  }
}

/** Settings of the PDF- tags (reference 2.11): a document printed in the page is a PDF of the page's text. */
export interface PdfUses {
  /** PDF-LINES-PER-PAGE; undefined: the capacity of the form. */
  readonly linesPerPage: number | undefined;
  /** PDF-LINES-PER-PAGE between PDF-NEW-DOCOPT and the next PDF-NEW-…, by the number of PDF-NEW-DOCOPT. */
  readonly options: ReadonlyMap<number, number | undefined>;
  /** PDF-VARIABLE: scenarios that render the page as lines receive a PDF. */
  readonly isVariable: boolean;
}

export type PdfMark =
  | { readonly kind: 'newLayout' | 'useLayout' | 'useOptions'; readonly number: number }
  | { readonly kind: 'newOptions' | 'newInput' | 'outline' };

export type PlacedPdfMark = PdfMark & {
  readonly at: number;
};

export class Insertion implements TemplateNode {
  constructor(readonly textIn: (context: RenderContext, rendering: Rendering) => string | undefined) {}

  render(rendering: Rendering): void {
    const text = this.textIn(rendering.context, rendering);
    if (text !== undefined) rendering.write(text);
  }
}
