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
  /** Bytes. */
  readonly outputBytes: number;
  readonly loopPasses: number;
  readonly work: number;
}

/** A compiled tag; acts on a rendering when it is reached. A text that it enters is rendered next. */
export interface TemplateNode {
  /** Segments that it renders, and itself; without bound where it repeats them. Undefined: itself alone. */
  readonly size?: number;
  render(rendering: Rendering): void;
}

/** The passes of a loop. */
export interface Passes {
  /** Before each pass. @returns whether there is one */
  next(rendering: Rendering): boolean;
}

/** Literal text or a compiled tag. */
export type Segment = string | TemplateNode;

/** Segments of a text that is rendered without a rest. */
const MOST_OF_SHORT = 32;

export function sizeOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, each) => sum + (typeof each === 'string' ? 1 : (each.size ?? 1)), 0);
}

/** Whether a text needs no rest, its inner ones included. */
export function isShort(segments: readonly Segment[]): boolean {
  return sizeOf(segments) <= MOST_OF_SHORT;
}

/** A text that is being rendered. */
interface Frame {
  readonly segments: readonly Segment[];
  /** Index of the next segment. */
  at: number;
  /** Undefined: it is rendered once. */
  readonly passes: Passes | undefined;
  readonly outer: Frame | undefined;
}

/** Work before a rendering may rest: a page of usual size is done by then. */
const FIRST_STRETCH = 20_000;
/** Work between its rests. */
const STRETCH = 2_000;
const SEGMENTS_AT_A_STRETCH = 64;
/** Characters, which may be escaped ones, in place of `STRETCH`. */
const LENGTH_OF_STRETCH = 32_768;
const LENGTH_OF_FIRST_STRETCH = 327_680;

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
  /** Texts of the inline scripts that are of the file alone, key tags included. */
  readonly inlineScripts = new Set<string>();
  /** Where the script that is being rendered begins. */
  #scriptFrom: number | undefined;
  #page: ScreenPage<readonly Segment[]> | undefined;
  readonly #series: (Series | undefined)[];
  readonly #cursors: number[];
  #passes = 0;
  #work = 0;
  /** The innermost. */
  #frame: Frame | undefined;
  #restAt = FIRST_STRETCH;
  #restAtLength = LENGTH_OF_FIRST_STRETCH;

  constructor(
    readonly file: string,
    public context: RenderContext,
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

  /** Has a text rendered next: once, or in passes. */
  enter(segments: readonly Segment[], passes?: Passes): void {
    const { length } = segments;
    if (passes === undefined) this.#begin(length);
    this.#frame = { segments, at: passes === undefined ? 0 : length, passes, outer: this.#frame };
  }

  /** Renders a text at once, in the middle of a tag. */
  renderAll(segments: readonly Segment[]): void {
    const outer = this.#frame;
    this.enter(segments);
    this.#carryOn(outer, false);
  }

  /** The same for a text that is short. */
  renderShort(segments: readonly Segment[]): void {
    this.charge(segments.length);
    for (const segment of segments) {
      if (typeof segment === 'string') this.write(segment);
      else segment.render(this);
    }
  }

  /** Renders what was entered, for a stretch. @returns whether it is complete */
  goOn(): boolean {
    if (this.#carryOn(undefined, true)) return true;
    this.#restAt = this.#work + STRETCH;
    this.#restAtLength = this.text.length + LENGTH_OF_STRETCH;
    return false;
  }

  get isRestDue(): boolean {
    return this.#work >= this.#restAt || this.text.length >= this.#restAtLength;
  }

  /** @returns whether all within `outer` is rendered */
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

  /** Counts the segments of a text; the time of a long one is yet to come. */
  #begin(length: number): void {
    this.charge(length);
    if (length > SEGMENTS_AT_A_STRETCH) this.#restAt += length;
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

/** Of the tags of reference 2.11 that begin with PDF-: printed in the page, a document is a PDF of the page's text. */
export interface PdfUses {
  /** Of PDF-LINES-PER-PAGE; undefined: as many as the form has room for. */
  readonly linesPerPage: number | undefined;
  /** The same between PDF-NEW-DOCOPT and the next PDF-NEW-…, by the number of PDF-NEW-DOCOPT. */
  readonly options: ReadonlyMap<number, number | undefined>;
  /** PDF-VARIABLE: a scenario that renders the page as lines gets a PDF. */
  readonly isVariable: boolean;
}

/** Where a tag of reference 2.11 has acted on the text of a page. */
export type PdfMark =
  | { readonly kind: 'newLayout' | 'useLayout' | 'useOptions'; readonly number: number }
  | { readonly kind: 'newOptions' | 'newInput' | 'outline' };

export type PlacedPdfMark = PdfMark & {
  /** Offset in the text. */
  readonly at: number;
};

/** Inserts a context value unchanged; nothing if there is none. */
export class Insertion implements TemplateNode {
  constructor(readonly textIn: (context: RenderContext, rendering: Rendering) => string | undefined) {}

  render(rendering: Rendering): void {
    const text = this.textIn(rendering.context, rendering);
    if (text !== undefined) rendering.write(text);
  }
}
