import { type LaidOutPage, textOfPages } from '../tn3270/print/printed-page.js';
import type { PrintedJob } from '../tn3270/printer/print-job.js';
import { LineTurns } from './line-turns.js';
import { PdfTurns, type PrintForm, pdfOf, pdfOfLaidOut } from './pdf-document.js';
import type { PrintedFile, PrintedFolder } from './printed-folder.js';
import type { DocumentFacts, SpooledDocument } from './spool-store.js';

type OutputForm = 'pdf' | 'text' | 'transparent';
const extensions = { pdf: 'pdf', text: 'txt', transparent: 'prn' } as const;

interface OutputOptions {
  readonly printer: string;
  readonly form: PrintForm;
  readonly folder: { readonly files: PrintedFolder; readonly as: readonly OutputForm[] } | undefined;
}

/** Names of logical units may contain other characters. */
const NOT_IN_FILE_NAMES = /[^A-Za-z0-9@#$_-]/g;

export class DocumentOutput {
  readonly #options: OutputOptions;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Call before the printer starts. @returns names of the removed files */
  async removeHalfWritten(): Promise<readonly string[]> {
    const { folder, printer } = this.#options;
    return folder === undefined ? [] : folder.files.removeHalfWritten(printer);
  }

  get writesTransparent(): boolean {
    return this.#options.folder?.as.includes('transparent') === true;
  }

  nameOf({ number, printed }: DocumentFacts): string {
    const time = new Date(printed).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
    return `${this.#options.printer}-${time}-${number}`;
  }

  /** Pages are separated by FF. */
  async text({ pages }: Pick<SpooledDocument, 'pages'>): Promise<Buffer> {
    const turns = new LineTurns();
    const parts: Buffer[] = [];
    for (const [at, page] of pages.entries()) {
      let text = at === 0 ? '' : '\f';
      for (const line of page) {
        text += textOfPages([[line]]);
        if (!turns.isOver) continue;
        parts.push(Buffer.from(text));
        text = '';
        await turns.next();
      }
      parts.push(Buffer.from(text));
    }
    return Buffer.concat(parts);
  }

  /** @param askedBy address of the client or name of the printer. @throws ServiceError SVC_ERR_SERVICE_BUSY */
  pdf({ facts, pages }: SpooledDocument, askedBy: string): Promise<Buffer> {
    const { form } = this.#options;
    const properties = { title: this.nameOf(facts), printed: facts.printed };
    return PdfTurns.ofThisProcess.run(askedBy, () => pdfOf(pages, form, properties));
  }

  /** @throws ServiceError SVC_ERR_TEMPLATE_RENDERING if there are too many sheets, SVC_ERR_SERVICE_BUSY */
  pdfOfText(facts: DocumentFacts, pages: readonly LaidOutPage[], askedBy: string): Promise<Buffer> {
    return pdfOfLaidOut(pages, this.#options.form, { title: this.nameOf(facts), printed: facts.printed, askedBy });
  }

  async write(facts: DocumentFacts, printed: PrintedJob, logicalUnit: string): Promise<void> {
    const { folder } = this.#options;
    if (folder === undefined) return;
    const files: PrintedFile[] = [];
    for (const form of folder.as) {
      const content = await this.#contentOf(form, facts, printed, logicalUnit);
      if (content !== undefined) files.push({ extension: extensions[form], content });
    }
    const unit = logicalUnit.replaceAll(NOT_IN_FILE_NAMES, '_');
    await folder.files.write(unit === '' ? this.nameOf(facts) : `${this.nameOf(facts)}-${unit}`, files);
  }

  async #contentOf(
    form: OutputForm,
    facts: DocumentFacts,
    { pages, transparent }: PrintedJob,
    logicalUnit: string,
  ): Promise<Buffer | undefined> {
    if (form === 'transparent') return transparent.length === 0 ? undefined : Buffer.from(transparent);
    if (pages.length === 0) return undefined;
    return form === 'text'
      ? this.text({ pages })
      : this.pdf({ facts, pages }, `${this.#options.printer} ${logicalUnit}`);
  }
}
