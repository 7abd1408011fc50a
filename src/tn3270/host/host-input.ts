import type { PacedInput } from '../../lib/turns/paced-reader.js';
import { MOST_DATA_BYTES, type TelnetDecoder } from '../telnet/telnet-decoder.js';

interface LineRecord {
  readonly bytes: Uint8Array;
  readonly draw: (piece: Uint8Array) => void;
  at: number;
}

/**
 * Received data that is not processed yet: the rest of a chunk, preceded by the rest of a record for a line terminal.
 * Such a record is processed in pieces, because each of its bytes may change the whole screen.
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

  drawInPieces(record: Uint8Array, draw: (piece: Uint8Array) => void): void {
    // no copy needed: the decoder or the unfinished chunk keeps the bytes
    this.#lineRecord = { bytes: record, draw, at: 0 };
  }

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
