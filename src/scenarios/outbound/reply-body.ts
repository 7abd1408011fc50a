const SMALLEST_CAPACITY = 4096;

/**
 * Collects the bytes of a reply, up to a limit. Uses one growing buffer rather than a list of pieces: with a service that sends
 * chunks of single bytes, the list would be a hundred times as large as its content.
 */
export class ReplyBody {
  #bytes: Buffer | undefined;
  #length = 0;
  #owned = false;

  constructor(readonly bound: number) {}

  /** @returns false if the piece exceeds the limit; it is then dropped. */
  append(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > this.bound) return false;
    if (this.#bytes === undefined) {
      this.#bytes = piece;
    } else {
      if (!this.#owned || length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(piece, this.#length);
    }
    this.#length = length;
    return true;
  }

  bytes(): Buffer {
    return this.#bytes?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  #grow(needed: number): void {
    const capacity = Math.min(Math.max(SMALLEST_CAPACITY, needed * 2), this.bound);
    const larger = Buffer.allocUnsafeSlow(capacity);
    if (this.#bytes) larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#owned = true;
  }
}
