import { encodeTn3270eHeader, nextSequenceNumber } from '../telnet/tn3270e-header.js';

/** Headers of what a session sends, numbered where responses were agreed. */
export class OutboundHeaders {
  #sequenceNumber = 0;

  next(dataType: number, isNumbered: boolean): Uint8Array {
    const header = { dataType, requestFlag: 0, responseFlag: 0, sequenceNumber: this.#sequenceNumber };
    if (isNumbered) this.#sequenceNumber = nextSequenceNumber(this.#sequenceNumber);
    return encodeTn3270eHeader(header);
  }
}
