import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** What may wait to be carried out while the stream is still read: to stop it after each line takes longer than most lines do. */
const MOST_WAITING_CHARACTERS = 65_536;
const MOST_WAITING_LINES = 1_000;

interface LineInputOptions {
  /** A longer line ends the input. */
  readonly mostCharacters: number;
  /** Whether a last line without an end is no line. */
  readonly isCutLeftOut: boolean;
  /** Judges the first line that is not blank; one that is refused ends the input, and so does its beginning. */
  readonly isRefused?: ((line: string, isWhole: boolean) => boolean) | undefined;
}

/** The lines of a stream, which waits while many are carried out. Node's readline takes 30 KiB for as many sessions as wait for a line. */
export class LineInput {
  readonly #stream: Readable;
  readonly #mostCharacters: number;
  readonly #isCutLeftOut: boolean;
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [];
  #waitingCharacters = 0;
  #begun = '';
  #isOver = false;
  /** Undefined once the first line was judged. */
  #judge: LineInputOptions['isRefused'];
  #wasRefused = false;
  #changed: () => void = () => undefined;

  constructor(stream: Readable, { mostCharacters, isCutLeftOut, isRefused }: LineInputOptions) {
    this.#stream = stream;
    this.#isCutLeftOut = isCutLeftOut;
    this.#mostCharacters = mostCharacters;
    this.#judge = isRefused;
    stream.on('data', this.#take).once('end', this.#ended).once('close', this.#ended);
  }

  /** Whether the first line was refused: no line was given, and none will be. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** Undefined: no line comes any more. */
  async next(): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#isOver) {
      if (this.#stream.isPaused()) this.#stream.resume();
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    const line = this.#lines.shift();
    this.#waitingCharacters -= line?.length ?? 0;
    return line;
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
    if (this.#refusesFirst(lines)) return;
    for (const line of lines) this.#push(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (this.#begun.length > this.#mostCharacters) {
      this.close();
      return;
    }
    if (lines.length === 0) return;
    if (this.#waitingCharacters >= MOST_WAITING_CHARACTERS || this.#lines.length >= MOST_WAITING_LINES)
      this.#stream.pause();
    this.#changed();
  };

  /** @param lines that have their ends */
  #refusesFirst(lines: readonly string[]): boolean {
    const judge = this.#judge;
    if (judge === undefined) return false;
    const first = lines.find((line) => line.trim() !== '');
    if (first !== undefined) this.#judge = undefined;
    if (!judge(first ?? this.#begun, first !== undefined)) return false;
    this.#wasRefused = true;
    this.#begun = '';
    this.#lines = [];
    this.close();
    return true;
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#waitingCharacters += line.length;
  }

  readonly #ended = (): void => {
    if (this.#begun !== '' && !this.#isCutLeftOut) this.#push(this.#begun);
    this.#begun = '';
    this.close();
  };
}
