import type { OpenTrace } from './trace-files.js';
import { headLine, type TraceHead } from './trace-head.js';
import type { Traceable } from './trace-kinds.js';

export const traceBounds = {
  /** Traces that are kept, those that are being written among them. */
  kept: 50,
  leastSeconds: 1,
  defaultSeconds: 600,
  mostSeconds: 3_600,
  /** Of one trace, its first and its last line included. */
  leastBytes: 4_096,
  mostBytes: 4 * 1024 * 1024,
};

/** Kept free for the line that says why a trace has ended. */
const LAST_LINE_BYTES = 512;
const LONGEST_REASON = 100;

/** A trace that is being written, until its bounds. */
export class RunningTrace {
  /** `line C-HTTP`. */
  readonly subject: string;
  readonly #file: OpenTrace;
  readonly #onEnd: () => void;
  #left: number;
  #timer: NodeJS.Timeout | undefined;
  #detach: () => void = () => {};
  readonly #head: TraceHead;
  #closed: Promise<void> | undefined;

  constructor(file: OpenTrace, head: TraceHead, onEnd: () => void) {
    this.subject = `${head.kind} ${head.name}`;
    this.#file = file;
    this.#head = head;
    this.#onEnd = onEnd;
    this.#left = head.mostBytes - LAST_LINE_BYTES;
  }

  begin({ trace }: Traceable, seconds: number): void {
    this.#write(headLine(this.#head));
    this.#detach = trace(
      { write: (line) => this.#write(line), ended: () => void this.end('what was traced is over') },
      this.#head.by,
    );
    if (this.#closed !== undefined) this.#detach();
    else this.#timer = setTimeout(() => void this.end('its time is over'), seconds * 1_000).unref();
  }

  /** Nothing is written after it. */
  end(reason: string): Promise<void> {
    this.#closed ??= this.#end(reason);
    return this.#closed;
  }

  #end(reason: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#detach();
    this.#onEnd();
    this.#file.write(`// Trace ended ${new Date().toISOString()}: ${reason.slice(0, LONGEST_REASON)}`);
    return this.#file.close();
  }

  #write(line: string): void {
    if (this.#closed !== undefined) return;
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > this.#left) {
      void this.end(`with the next line it would have more than ${this.#head.mostBytes} bytes`);
      return;
    }
    this.#left -= bytes;
    if (!this.#file.write(line)) void this.end('more waited to be written than may');
  }
}
