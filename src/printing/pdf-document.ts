import { ServiceError } from '../lib/errors.js';
import { FairQueue } from '../lib/turns/fair-queue.js';
import {
  columnsOf,
  type InkName,
  inkOf,
  type LaidOutPage,
  MOST_SHEETS,
  type PrintedLine,
  type PrintedPage,
  type PrintStyle,
  printStyles,
  TOO_MANY_SHEETS,
} from '../tn3270/print/printed-page.js';
import { LineTurns } from './line-turns.js';

export const defaultForm: PrintForm = {
  paper: 'A4',
  orientation: 'landscape',
  columns: 132,
  lines: 66,
  marginMillimetres: 10,
};

export interface PrintForm {
  readonly paper: 'A3' | 'A4' | 'A5' | 'LETTER' | 'LEGAL';
  readonly orientation: 'portrait' | 'landscape';
  /** Columns and lines that must fit on a page; they determine the font size. */
  readonly columns: number;
  readonly lines: number;
  readonly marginMillimetres: number;
  /** File of a monospaced TrueType or OpenType font; defaults to Courier. */
  readonly font?: string;
}

/** Characters of code page 1252 at 0x80 to 0x9f, which the standard fonts of PDF readers contain. */
const FURTHER = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

const nearest: Readonly<Record<string, string>> = {
  '─': '-',
  '━': '-',
  '│': '|',
  '⎸': '|',
  '⎹': '|',
  '■': '*',
  '₁': '1',
  '∼': '~',
  '\u3000': '  ',
};
const BOX = /[\u2500-\u257f]/;

/** Replaces characters that Courier lacks: lines by plus signs, others by question marks. */
function textForCourier(text: string): string {
  let shown = '';
  for (const character of text)
    shown += isInCourier(character) ? character : (nearest[character] ?? substitute(character));
  return shown;
}

function isInCourier(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || FURTHER.has(character);
}

function substitute(character: string): string {
  return BOX.test(character) ? '+' : '?';
}

const POINTS_PER_MILLIMETRE = 72 / 25.4;
/** Relative to the font size of Courier. */
const COURIER_WIDTH = 0.6;
const LINE_HEIGHT = 1.1;
const UNDERSCORE_BELOW = 0.95;

const colourOfInk: Readonly<Record<InkName, string>> = {
  black: '#000000',
  blue: '#0000b0',
  red: '#b00000',
  pink: '#b000b0',
  green: '#007000',
  turquoise: '#007070',
  yellow: '#806000',
};

type Pdf = InstanceType<typeof import('pdfkit')>;

interface Layout {
  readonly left: number;
  readonly top: number;
  readonly size: number;
  readonly columnWidth: number;
  readonly lineHeight: number;
  readonly isCourier: boolean;
}

interface PdfProperties {
  readonly title: string;
  readonly printed: number;
}

interface Sheet {
  readonly lines: PrintedPage;
  readonly linesPerPage: number;
  /** Overprinted by `lines`. */
  readonly behind: PrintedPage;
  readonly titles: readonly string[];
}

/** Loads pdfkit in advance, which takes 90 ms. @throws Error if the font of the form is not valid */
export async function preparePdf(form: PrintForm): Promise<void> {
  const prepare = (text: string) =>
    pdfOf([[[{ column: 0, text, style: printStyles.plain }]]], form, { title: '', printed: 0 });
  await prepare('M');
  if (form.font === undefined) return;
  try {
    // composed letters: pdfkit cannot embed them from compressed fonts (WOFF2)
    await prepare('ÄÉñ');
  } catch (cause) {
    throw new Error('letters with accents cannot be embedded: unpack a font in WOFF2 (woff2_decompress)', { cause });
  }
}

/** Pages with more lines than the form continue on further sheets. */
export function pdfOf(pages: readonly PrintedPage[], form: PrintForm, properties: PdfProperties): Promise<Buffer> {
  const { lines: linesPerPage } = form;
  const sheets = pages.flatMap((page) => {
    const ofPage: Sheet[] = [];
    for (let at = 0; at === 0 || at < page.length; at += linesPerPage)
      ofPage.push({ lines: page.slice(at, at + linesPerPage), linesPerPage, behind: [], titles: [] });
    return ofPage;
  });
  return pdfOfSheets(sheets, form, properties);
}

/** Works in many turns of the event loop, so that long documents do not block it. */
async function pdfOfSheets(
  sheets: readonly Sheet[],
  form: PrintForm,
  { title, printed }: PdfProperties,
): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit');
  const pdf = new PdfDocument({
    size: form.paper,
    layout: form.orientation,
    margin: 0,
    autoFirstPage: false,
    info: { Title: title, Producer: 'Sallyport', CreationDate: new Date(printed) },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  if (form.font !== undefined) pdf.registerFont('site', form.font);
  const turns = new LineTurns();
  for (const { lines, linesPerPage, behind, titles } of sheets) {
    await turns.next();
    pdf.addPage();
    for (const title of titles) pdf.outline.addItem(title);
    const layout = layoutOf(pdf, { ...form, lines: linesPerPage });
    for (const page of [behind, lines]) {
      for (const [at, line] of page.entries()) {
        drawLine(pdf, line, layout.top + at * layout.lineHeight, layout);
        if (turns.isOver) await turns.next();
      }
    }
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function layoutOf(pdf: Pdf, form: PrintForm): Layout {
  const margin = form.marginMillimetres * POINTS_PER_MILLIMETRE;
  const width = (pdf.page.width - 2 * margin) / form.columns;
  const height = (pdf.page.height - 2 * margin) / form.lines;
  const isCourier = form.font === undefined;
  const characterWidth = isCourier ? COURIER_WIDTH : pdf.font('site').fontSize(1_000).widthOfString('M') / 1_000;
  const size = Math.min(width / characterWidth, height / LINE_HEIGHT);
  return { left: margin, top: margin, size, columnWidth: size * characterWidth, lineHeight: height, isCourier };
}

function drawLine(pdf: Pdf, line: PrintedLine, top: number, layout: Layout): void {
  for (const { column, text, style } of line) {
    const left = layout.left + column * layout.columnWidth;
    const width = widthOf(text) * layout.columnWidth;
    const colour = colourOfInk[inkOf(style)];
    const isReverse = (style & printStyles.reverse) !== 0;
    if (isReverse) pdf.rect(left, top, width, layout.lineHeight).fill(colour);
    if ((style & printStyles.underscore) !== 0) {
      const bottom = top + layout.size * UNDERSCORE_BELOW;
      pdf
        .lineWidth(layout.size / 20)
        .moveTo(left, bottom)
        .lineTo(left + width, bottom)
        .stroke(colour);
    }
    if (text.trim() === '') continue;
    pdf
      .font(fontOf(style, layout))
      .fontSize(layout.size)
      .fillColor(isReverse ? '#ffffff' : colour);
    pdf.text(layout.isCourier ? textForCourier(text) : text, left, top, { lineBreak: false });
  }
}

function fontOf(style: PrintStyle, { isCourier }: Layout): string {
  if (!isCourier) return 'site';
  return (style & printStyles.bold) === 0 ? 'Courier' : 'Courier-Bold';
}

function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return columns;
}

interface LaidOutProperties extends PdfProperties {
  readonly askedBy: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no control character reaches the paper
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Converts text with layout information. Pages with more lines than a sheet continue on further sheets.
 * @throws ServiceError SVC_ERR_TEMPLATE_RENDERING if there are too many sheets, SVC_ERR_SERVICE_BUSY
 */
export async function pdfOfLaidOut(
  pages: readonly LaidOutPage[],
  form: PrintForm,
  { askedBy, ...properties }: LaidOutProperties,
): Promise<Buffer> {
  const sheets: Sheet[] = [];
  for (const { lines, linesPerPage = form.lines, behind, outline } of pages) {
    const printedBehind = behind.slice(0, linesPerPage).map(plainLine);
    for (let at = 0; at === 0 || at < lines.length; at += linesPerPage) {
      if (sheets.length >= MOST_SHEETS)
        throw new ServiceError('SVC_ERR_TEMPLATE_RENDERING', { detail: TOO_MANY_SHEETS });
      const isHere = ({ line }: { readonly line: number }) => line >= at && line < at + linesPerPage;
      sheets.push({
        lines: lines.slice(at, at + linesPerPage).map(plainLine),
        linesPerPage,
        behind: printedBehind,
        titles: outline.filter(isHere).map(({ title }) => title.replaceAll(CONTROLS, ' ')),
      });
    }
  }
  return PdfTurns.ofThisProcess.run(askedBy, () => pdfOfSheets(sheets, form, properties));
}

function plainLine(line: string): PrintedLine {
  return [{ column: 0, text: line.replaceAll(CONTROLS, ' ').trimEnd(), style: printStyles.plain }];
}

const MOST_AT_ONCE = 4;
/** In total. Host printers wait with one document each, and there are no more of them than sessions. */
const MOST_WAITING = 100_000;
/** Of one address or printer. */
const MOST_WAITING_OF_ONE = 20;

/** Limits concurrent PDFs. Clients are served in turn, and the documents of one client in order of arrival. */
export class PdfTurns {
  static readonly ofThisProcess = new PdfTurns();

  readonly #queue = new FairQueue<void>({
    most: MOST_WAITING,
    mostOfAddress: MOST_WAITING_OF_ONE,
    refusal: () => new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: 'too many PDFs are being created' }),
  });
  #taken = 0;

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY if too many documents of `askedBy` wait, and errors of `make` */
  async run<Result>(askedBy: string, make: () => Promise<Result>): Promise<Result> {
    if (this.#taken < MOST_AT_ONCE) this.#taken++;
    else await this.#queue.wait(askedBy);
    try {
      return await make();
    } finally {
      if (!this.#queue.serve()) this.#taken--;
    }
  }
}
