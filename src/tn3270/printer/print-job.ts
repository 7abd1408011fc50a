import type { CodePage } from '../codepage/code-page.js';
import { DataStreamPrinter } from '../print/data-stream-printer.js';
import { Paper, type PrintFault } from '../print/paper.js';
import type { PrintedPage } from '../print/printed-page.js';
import { ScsPrinter } from '../print/scs-printer.js';

export interface PrintedJob {
  readonly pages: readonly PrintedPage[];
  /** Commands for a real printer (TRN), which the pages do not show. */
  readonly transparent: Uint8Array;
}

/** What a host prints until it says that the job is over, in either data stream, on one paper. */
export class PrintJob {
  readonly #paper = new Paper();
  readonly #scs: ScsPrinter;
  readonly #dataStream: DataStreamPrinter;

  /** @param reply sends a record to the host, which has asked what the printer can do */
  constructor(codePage: CodePage, reply: (record: Uint8Array) => void) {
    this.#scs = new ScsPrinter(codePage, this.#paper);
    this.#dataStream = new DataStreamPrinter(codePage, this.#paper, reply);
  }

  /** Whether there is something to tear off. */
  get hasBegun(): boolean {
    return !this.#paper.isBlank || this.#dataStream.isWaiting;
  }

  printScs(record: Uint8Array): PrintFault | undefined {
    return this.#scs.print(record);
  }

  printDataStream(record: Uint8Array): PrintFault | undefined {
    return this.#dataStream.print(record);
  }

  /** The job is over. @returns undefined where nothing was printed */
  end(): PrintedJob | undefined {
    this.#dataStream.endJob();
    this.#scs.endJob();
    const printed = { pages: this.#paper.tearOff(), transparent: this.#paper.takeTransparent() };
    return printed.pages.length === 0 && printed.transparent.length === 0 ? undefined : printed;
  }

  /** The session with the application, or the logical unit, is another one: formats and buffer are those of a printer that was just turned on. */
  reset(): void {
    this.#scs.reset();
    this.#dataStream.reset();
  }
}
