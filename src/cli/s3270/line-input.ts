import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** The lines of a stream, which waits while they are carried out. Node's readline takes 30 KiB for as many sessions as wait for a line. */
export class LineInput {
  readonly #stream: Readable;
  readonly #mostCharacters: number;
  readonly #isCutLeftOut: boolean;
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [];
  #begun = '';
  #isOver = false;
  #changed: () => void = () => undefined;

  /**
   * @param mostCharacters a longer line ends the input
   * @param isCutLeftOut whether a last line without an end is no line
   */
  constructor(stream: Readable, mostCharacters: number, isCutLeftOut: boolean) {
    this.#stream = stream;
    this.#isCutLeftOut = isCutLeftOut;
    this.#mostCharacters = mostCharacters;
    stream.on('data', this.#take).once('end', this.#ended).once('close', this.#ended);
  }

  /** Undefined: no line comes any more. */
  async next(): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#isOver) {
      this.#stream.resume();
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    return this.#lines.shift();
  }

  /** Reads nothing more. */
  close(): void {
    this.#isOver = true;
    this.#stream.off('data', this.#take).off('end', this.#ended).off('close', this.#ended);
    this.#stream.pause();
    this.#changed();
  }

  readonly #take = (chunk: Buffer | string): void => {
    // what was searched for an end before is not searched again
    const [rest = '', ...further] = (typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)).split('\n');
    const lines = [this.#begun + rest, ...further];
    this.#begun = lines.pop() ?? '';
    this.#lines.push(...lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));
    if (this.#begun.length > this.#mostCharacters) {
      this.close();
      return;
    }
    if (lines.length === 0) return;
    this.#stream.pause();
    this.#changed();
  };

  readonly #ended = (): void => {
    if (this.#begun !== '' && !this.#isCutLeftOut) this.#lines.push(this.#begun);
    this.#begun = '';
    this.close();
  };
}
