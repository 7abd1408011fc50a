/** Reads a record from left to right by areas; positions and lengths count code points. */
export class RecordReader {
  /** A string where each code point is one unit, else its code points. */
  readonly #characters: string | readonly string[];
  #at = 0;

  constructor(record: string) {
    this.#characters = /[\ud800-\udfff]/.test(record) ? Array.from(record) : record;
  }

  get position(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** The next area; shorter, or empty, where the record ends. */
  take(length: number): string {
    const area = this.slice(this.#at, length);
    this.#at = Math.min(this.#at + length, this.#characters.length);
    return area;
  }

  /** What `take` would give. */
  peek(length: number): string {
    return this.slice(this.#at, length);
  }

  /** Anywhere in the record; what lies past its end is left out. */
  slice(start: number, length: number): string {
    const characters = this.#characters.slice(start, start + length);
    return typeof characters === 'string' ? characters : characters.join('');
  }
}
