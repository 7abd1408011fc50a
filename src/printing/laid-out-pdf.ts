import { ServiceError } from '../lib/errors.js';
import {
  type LaidOutPage,
  MOST_SHEETS,
  type PrintedLine,
  printStyles,
  TOO_MANY_SHEETS,
} from '../tn3270/print/printed-page.js';
import { type PdfProperties, pdfOfSheets, type Sheet } from './pdf-document.js';
import { PdfTurns } from './pdf-turns.js';
import type { PrintForm } from './print-form.js';

interface LaidOutProperties extends PdfProperties {
  /** The address that waits for it. */
  readonly askedBy: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no control character reaches the paper
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * A text that says how it is laid out as PDF. A page with more lines than a sheet may have goes on to others.
 * @throws ServiceError SVC_ERR_TEMPLATE_RENDERING where there are more sheets than there may be, SVC_ERR_SERVICE_BUSY
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
