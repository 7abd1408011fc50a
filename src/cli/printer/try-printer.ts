import { type ExitCode, exitCodes } from '../../lib/exit-codes.js';
import { replaceFile } from '../../lib/files/replace-file.js';
import { defaultForm, type PrintForm, pdfOf } from '../../printing/pdf-document.js';
import { isFileThere } from '../../s3270/program/transferred-file.js';
import { hostEndWords } from '../../tn3270/conversation/host-end-words.js';
import type { HostAddress } from '../../tn3270/host/host-connection.js';
import { type PrintedPage, textOfPages } from '../../tn3270/print/printed-page.js';
import type { PrintedJob } from '../../tn3270/printer/print-job.js';
import { PrinterSession } from '../../tn3270/printer/printer-session.js';
import { tn3270eFunctionNames } from '../../tn3270/telnet/tn3270e-words.js';
import { connecting, type DriveSettings } from '../drive/drive-settings.js';
import { counted, printableText } from '../output.js';

const FILE_NAME = /^(.*[^/\\])\.(pdf|txt)$/i;

export interface PaperOptions {
  readonly paper: PrintForm['paper'];
  readonly portrait?: true;
  readonly columns: number;
  readonly lines: number;
}

interface OutputFile {
  readonly name: string;
  readonly kind: 'pdf' | 'txt';
}

export function outputKindOf(name: string): OutputFile['kind'] | undefined {
  return FILE_NAME.exec(name)?.[2]?.toLowerCase() as OutputFile['kind'] | undefined;
}

/** FILE.pdf, FILE-2.pdf, FILE-3.pdf … @param number of the document, from 1 */
function fileOf({ name }: OutputFile, number: number): string {
  return number === 1 ? name : name.replace(FILE_NAME, `$1-${number}.$2`);
}

class TriedOutput {
  readonly #trial: Pick<Trial, 'file' | 'mayReplace' | 'paper'>;

  constructor(trial: Pick<Trial, 'file' | 'mayReplace' | 'paper'>) {
    this.#trial = trial;
  }

  /** @param number of the document, from 1. @returns name of the destination. @throws Error if it cannot be written */
  async write(number: number, pages: readonly PrintedPage[]): Promise<string> {
    const text = textOfPages(pages);
    if (this.#trial.file === undefined) {
      process.stdout.write(number === 1 ? text : `\f${text}`);
      return 'standard output';
    }
    const file = fileOf(this.#trial.file, number);
    await this.check(number);
    await replaceFile(file, this.#trial.file.kind === 'txt' ? text : await this.#pdf(file, pages));
    return file;
  }

  /** @throws Error if the file exists and must not be replaced */
  async check(number: number): Promise<void> {
    if (this.#trial.file === undefined || this.#trial.mayReplace) return;
    const file = fileOf(this.#trial.file, number);
    if (await isFileThere(file)) throw new Error(`${file}: it already exists; use --replace to overwrite it`);
  }

  #pdf(title: string, pages: readonly PrintedPage[]): Promise<Buffer> {
    const { paper, portrait, columns, lines } = this.#trial.paper;
    const orientation = portrait === true ? 'portrait' : 'landscape';
    const form = { ...defaultForm, paper, orientation, columns, lines } as const;
    return pdfOf(pages, form, { title, printed: Date.now() });
  }
}

/** Maximum number of documents being written. Above it, the printer reports to the host that it is not ready. */
const MOST_UNFINISHED = 4;

interface Trial {
  readonly address: HostAddress;
  readonly settings: DriveSettings;
  readonly associate: string | undefined;
  readonly file: OutputFile | undefined;
  readonly mayReplace: boolean;
  readonly paper: PaperOptions;
  readonly documents: number | undefined;
  readonly milliseconds: number;
  readonly silenceMilliseconds: number | undefined;
  readonly isQuiet: boolean;
}

export async function tryPrinter(trial: Trial): Promise<ExitCode> {
  const tried = new TriedPrinter(trial);
  const interrupt = () => tried.interrupt();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await tried.run();
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

class TriedPrinter {
  readonly #trial: Trial;
  readonly #output: TriedOutput;
  #session: PrinterSession | undefined;
  #isConnected = false;
  #isInterrupted = false;
  #isTimeOver = false;
  #documents = 0;
  #unfinished = 0;
  /** Serializes writes, so that documents stay in order on standard output. */
  #writing: Promise<unknown> = Promise.resolve();
  #trouble: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(trial: Trial) {
    this.#trial = trial;
    this.#output = new TriedOutput(trial);
  }

  async run(): Promise<ExitCode> {
    try {
      await this.#output.check(1);
      const end = await this.#ended();
      await this.#writing;
      if (this.#isTimeOver && this.#documents === 0)
        this.#trouble ??= `no document arrived within ${this.#trial.milliseconds / 1_000} seconds`;
      if (!this.#isInterrupted && this.#trouble === undefined && !this.#isEnough) this.#trouble = end;
      if (this.#isInterrupted && !this.#isConnected) this.#trouble = 'interrupted before the printer was connected';
    } catch (error) {
      this.#trouble = (error as Error).message;
    }
    clearTimeout(this.#timer);
    if (this.#trouble !== undefined) process.stderr.write(`Error: ${printableText(this.#trouble)}\n`);
    const isFine = this.#trouble === undefined && (this.#documents > 0 || this.#isConnected);
    return isFine ? exitCodes.fine : exitCodes.workFailed;
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#session?.stop();
  }

  get #isEnough(): boolean {
    return this.#documents >= (this.#trial.documents ?? Number.POSITIVE_INFINITY);
  }

  #ended(): Promise<string> {
    const { settings, address, associate, silenceMilliseconds } = this.#trial;
    return new Promise((resolve) => {
      const tried = this;
      const session = new PrinterSession(
        {
          codePage: settings.codePage,
          deviceNames: settings.deviceNames,
          associate,
          silenceMilliseconds,
          tn3270e: settings.tn3270e,
          ...connecting(address, settings),
          negotiationMilliseconds: settings.connectSeconds * 1_000,
        },
        {
          changed: () => this.#changed(),
          get isReady() {
            return tried.#unfinished < MOST_UNFINISHED && !tried.#isEnough;
          },
          printed: (printed, isComplete) => this.#printed(printed, isComplete),
          fault: ({ reason, offset }) => this.#tell(`a record is not printed: ${reason} (byte ${offset})`, true),
          ended: (end) => resolve(hostEndWords(end)),
        },
      );
      this.#session = session;
      session.connect();
    });
  }

  #changed(): void {
    const session = this.#session;
    if (this.#isConnected || session?.isConnected !== true) return;
    this.#isConnected = true;
    this.#tell(agreementWords(session));
    this.#waitForDocument();
  }

  async #printed({ pages, transparent }: PrintedJob, isComplete: boolean): Promise<boolean> {
    if (transparent.length > 0)
      this.#tell(`${transparent.length} bytes of commands for a real printer (TRN) are omitted`, true);
    if (pages.length === 0) return true;
    clearTimeout(this.#timer);
    this.#unfinished++;
    const number = ++this.#documents;
    const written = this.#writing.then(() => this.#output.write(number, pages));
    this.#writing = written.catch(() => undefined);
    try {
      const place = await written;
      const howMuch = `${counted(pages.length, 'page')}${isComplete ? '' : ', not complete'}`;
      if (this.#isTimeOver && !isComplete)
        this.#trouble = `document ${number} did not end within ${this.#trial.milliseconds / 1_000} seconds: ${howMuch}: ${place}`;
      else this.#tell(`document ${number}: ${howMuch}: ${place}`);
      return true;
    } catch (error) {
      this.#documents--;
      this.#trouble = `document ${number} was not written: ${(error as Error).message}`;
      return false;
    } finally {
      this.#unfinished--;
      if (this.#isEnough || this.#trouble !== undefined) setImmediate(() => this.#session?.stop());
      else this.#waitForDocument();
    }
  }

  #waitForDocument(): void {
    clearTimeout(this.#timer);
    const { milliseconds } = this.#trial;
    this.#timer = setTimeout(() => {
      this.#isInterrupted = true;
      this.#isTimeOver = true;
      this.#session?.stop();
    }, milliseconds);
  }

  #tell(words: string, isTrouble = false): void {
    if (isTrouble || !this.#trial.isQuiet) process.stderr.write(`${printableText(words)}\n`);
  }
}

function agreementWords({ mode, deviceName, functions }: PrinterSession): string {
  if (mode === 'tn3270')
    return 'connected by plain TN3270: 3270 data stream, no responses, a document ends after a period of silence';
  const unit = deviceName === undefined ? 'a logical unit that the host does not name' : `logical unit ${deviceName}`;
  const names = [...functions].map((name) => tn3270eFunctionNames[name]).join(', ');
  return `connected by TN3270E: ${unit}; ${names === '' ? 'no functions' : names}`;
}
