import type { PacedInput } from '../../lib/turns/paced-reader.js';
import { MOST_DATA_BYTES, type TelnetDecoder } from '../telnet/telnet-decoder.js';

interface LineRecord {
  readonly bytes: Uint8Array;
  readonly draw: (piece: Uint8Array) => void;
  at: number;
}

/**
 * What a host has sent and is not carried out yet: the rest of a chunk, and before that the rest of a record with text for a
 * line terminal, the one kind of record whose bytes may each change the whole screen.
 */
export class HostInput implements PacedInput {
  readonly #decoder: TelnetDecoder;
  #lineRecord: LineRecord | undefined;

  constructor(decoder: TelnetDecoder) {
    this.#decoder = decoder;
  }

  take(chunk: Uint8Array, mayGoOn: () => boolean): boolean {
    const isRead = this.#decoder.feed(chunk, () => this.#lineRecord === undefined && mayGoOn());
    return (this.#lineRecord === undefined && isRead) || (mayGoOn() && this.goOn(mayGoOn));
  }

  goOn(mayGoOn: () => boolean): boolean {
    for (;;) {
      if (this.#lineRecord !== undefined) this.#drawPiece(this.#lineRecord);
      else if (this.#decoder.goOn(() => this.#lineRecord === undefined && mayGoOn()) && this.#lineRecord === undefined)
        return true;
      if (!mayGoOn()) return false;
    }
  }

  /** Has a record drawn piece by piece, before anything that came behind it. */
  drawInPieces(record: Uint8Array, draw: (piece: Uint8Array) => void): void {
    // the bytes are the decoder's own, or stand in a chunk that is kept until it was taken apart
    this.#lineRecord = { bytes: record, draw, at: 0 };
  }

  /** Forgets all that is left, and what has come of a record that has not ended. */
  drop(): void {
    this.#decoder.drop();
    this.#lineRecord = undefined;
  }

  #drawPiece(record: LineRecord): void {
    const { bytes, at, draw } = record;
    record.at += MOST_DATA_BYTES;
    if (at < bytes.length) draw(bytes.subarray(at, record.at));
    if (record.at >= bytes.length) this.#lineRecord = undefined;
  }
}
