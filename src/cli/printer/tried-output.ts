import { replaceFile } from '../../lib/files/replace-file.js';
import { defaultForm, type PrintForm, pdfOf } from '../../printing/pdf-document.js';
import { isFileThere } from '../../s3270/program/transferred-file.js';
import { type PrintedPage, textOfPages } from '../../tn3270/print/printed-page.js';

const FILE_NAME = /^(.*[^/\\])\.(pdf|txt)$/i;

export interface PaperOptions {
  readonly paper: PrintForm['paper'];
  readonly portrait?: true;
  readonly columns: number;
  readonly lines: number;
}

export interface OutputFile {
  readonly name: string;
  readonly kind: 'pdf' | 'txt';
}

/** What a name says of its file; undefined: nothing. */
export function outputKindOf(name: string): OutputFile['kind'] | undefined {
  return FILE_NAME.exec(name)?.[2]?.toLowerCase() as OutputFile['kind'] | undefined;
}

/** FILE.pdf, FILE-2.pdf, FILE-3.pdf … @param number of the document, from 1 */
function fileOf({ name }: OutputFile, number: number): string {
  return number === 1 ? name : name.replace(FILE_NAME, `$1-${number}.$2`);
}

/** Where documents go: files, or standard output, on which form feeds separate them. */
export class TriedOutput {
  readonly #file: OutputFile | undefined;
  readonly #mayReplace: boolean;
  readonly #paper: PaperOptions;

  constructor(file: OutputFile | undefined, mayReplace: boolean, paper: PaperOptions) {
    this.#file = file;
    this.#mayReplace = mayReplace;
    this.#paper = paper;
  }

  /**
   * @param number of the document, from 1
   * @returns where it is
   * @throws Error where it cannot be written
   */
  async write(number: number, pages: readonly PrintedPage[]): Promise<string> {
    const text = textOfPages(pages);
    if (this.#file === undefined) {
      process.stdout.write(number === 1 ? text : `\f${text}`);
      return 'standard output';
    }
    const file = fileOf(this.#file, number);
    await this.check(number);
    await replaceFile(file, this.#file.kind === 'txt' ? text : await this.#pdf(file, pages));
    return file;
  }

  /** @throws Error where its file is there already */
  async check(number: number): Promise<void> {
    if (this.#file === undefined || this.#mayReplace) return;
    const file = fileOf(this.#file, number);
    if (await isFileThere(file)) throw new Error(`${file}: it is there already; --replace`);
  }

  #pdf(title: string, pages: readonly PrintedPage[]): Promise<Buffer> {
    const { paper, portrait, columns, lines } = this.#paper;
    const orientation = portrait === true ? 'portrait' : 'landscape';
    const form = { ...defaultForm, paper, orientation, columns, lines } as const;
    return pdfOf(pages, form, { title, printed: Date.now() });
  }
}
