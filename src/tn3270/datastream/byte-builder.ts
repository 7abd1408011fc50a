const FIRST_CAPACITY = 256;

/** Bytes that are added one after the other; grows as it must, up to a bound that its owner names. */
export class ByteBuilder {
  readonly #most: number;
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  /** @param most adding more throws a RangeError */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  bytes(values: ArrayLike<number>): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** A copy of what was added. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    const length = this.#length + count;
    if (length > this.#most) throw new RangeError(`a record of more than ${this.#most} bytes`);
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
