import { write, writeSync } from 'node:fs';

/** Where it cannot be written, lines past this are dropped. */
const MOST_UNWRITTEN_BYTES = 16 * 1024 * 1024;
const AGAIN_MILLISECONDS = 100;
/** For what is written at the end of the process, to whoever does not read just now. */
const LONGEST_FLUSH_MILLISECONDS = 1_000;

/**
 * Writes the log to standard output. pino's destination would end the process where its disk is full, and never come back from writing
 * the rest; here it is kept until there is room.
 */
export class LogOutput {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isWriting = false;
  #isGone = false;
  #pause: NodeJS.Timeout | undefined;

  write(block: string): void {
    const bytes = Buffer.from(block);
    if (this.#isGone || this.#bytes + bytes.length > MOST_UNWRITTEN_BYTES) return;
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    this.#writeNext();
  }

  /** What can be written now; what a thread is writing is its own. */
  flushSync(): void {
    const end = performance.now() + LONGEST_FLUSH_MILLISECONDS;
    const first = this.#isWriting ? 1 : 0;
    for (let block = this.#waiting[first]; block !== undefined; block = this.#waiting[first]) {
      try {
        this.#take(first, block, writeSync(1, block));
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) return;
        standStill(AGAIN_MILLISECONDS);
      }
    }
  }

  #writeNext(): void {
    const [block] = this.#waiting;
    if (block === undefined || this.#isWriting || this.#pause !== undefined) return;
    this.#isWriting = true;
    write(1, block, (error, written) => {
      this.#isWriting = false;
      if (error === null) this.#take(0, block, written);
      else if (error.code === 'EPIPE') this.#gone();
      // busy, or the disk is full
      else this.#pause = setTimeout(() => this.#goOn(), AGAIN_MILLISECONDS).unref();
      this.#writeNext();
    });
  }

  #goOn(): void {
    this.#pause = undefined;
    this.#writeNext();
  }

  #take(at: number, block: Buffer, written: number): void {
    this.#bytes -= written;
    this.#waiting.splice(at, 1, ...(written < block.length ? [block.subarray(written)] : []));
  }

  /** Nobody will read it any more. */
  #gone(): void {
    this.#isGone = true;
    this.#waiting = [];
    this.#bytes = 0;
  }
}

function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY'].includes(`${(error as NodeJS.ErrnoException).code}`);
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/** Of this thread; others go on. */
export function standStill(milliseconds: number): void {
  Atomics.wait(neverWoken, 0, 0, milliseconds);
}
