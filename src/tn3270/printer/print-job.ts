import type { CodePage } from '../codepage/code-page.js';
import { DataStreamPrinter } from '../print/data-stream-printer.js';
import { Paper } from '../print/paper.js';
import type { PrintedPage } from '../print/printed-page.js';
import { ScsPrinter } from '../print/scs-printer.js';

export interface PrintedJob {
  readonly pages: readonly PrintedPage[];
  /** Commands for a real printer (TRN), which do not appear on the pages. */
  readonly transparent: Uint8Array;
}

export class PrintJob {
  readonly #paper = new Paper();
  readonly scs: ScsPrinter;
  readonly dataStream: DataStreamPrinter;

  constructor(codePage: CodePage, reply: (record: Uint8Array) => void) {
    this.scs = new ScsPrinter(codePage, this.#paper);
    this.dataStream = new DataStreamPrinter(codePage, this.#paper, reply);
  }

  get hasBegun(): boolean {
    return !this.#paper.isBlank || this.dataStream.isWaiting;
  }

  end(): PrintedJob | undefined {
    this.dataStream.endJob();
    this.scs.endJob();
    const printed = { pages: this.#paper.tearOff(), transparent: this.#paper.takeTransparent() };
    return printed.pages.length === 0 && printed.transparent.length === 0 ? undefined : printed;
  }

  /** Resets formats and buffer for another application or logical unit. */
  reset(): void {
    this.scs.reset();
    this.dataStream.reset();
  }
}
