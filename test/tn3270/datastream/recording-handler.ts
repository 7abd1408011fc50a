import type { AttributePairs, DataStreamHandler } from '../../../src/tn3270/datastream/data-stream-handler.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Writes down what the decoder calls. */
export class RecordingHandler implements DataStreamHandler {
  readonly isExhausted = false;
  readonly calls: string[] = [];
  readonly addressMode = 'coded';
  readonly positions: number;
  readonly #doubleByte: boolean;

  constructor(positions = 1920, doubleByte = false) {
    this.positions = positions;
    this.#doubleByte = doubleByte;
  }

  beginWrite(command: string, writeControl: number) {
    this.#note(command, writeControl);
  }
  setBufferAddress(address: number) {
    this.#note('sba', address);
  }
  insertCursor() {
    this.#note('ic');
  }
  programTab() {
    this.#note('pt');
    return undefined;
  }
  takesDoubleByte() {
    return this.#doubleByte;
  }
  repeatToAddress(stop: number, code: number, second: number | undefined, graphicEscape: boolean) {
    this.#note('ra', stop, code, second ?? '-', graphicEscape);
    return undefined;
  }
  eraseUnprotectedToAddress(stop: number) {
    this.#note('eua', stop);
    return undefined;
  }
  startField(attribute: number) {
    this.#note('sf', attribute);
  }
  startFieldExtended(pairs: AttributePairs) {
    this.#note('sfe', pairsOf(pairs));
  }
  modifyField(pairs: AttributePairs) {
    this.#note('mf', pairsOf(pairs));
  }
  setAttribute(type: number, value: number) {
    this.#note('sa', type, value);
  }
  graphicEscape(code: number) {
    this.#note('ge', code);
    return undefined;
  }
  text(record: Uint8Array, start: number, end: number) {
    this.#note('text', hex(record.subarray(start, end)));
    return undefined;
  }
  endWrite() {
    this.#note('end');
    return undefined;
  }
  eraseAllUnprotected() {
    this.#note('eau');
  }
  read(command: string) {
    this.#note('read', command);
  }
  eraseReset(alternate: boolean) {
    this.#note('eraseReset', alternate);
  }
  setReplyMode(mode: string, attributes: Uint8Array) {
    this.#note('replyMode', mode, hex(attributes));
  }
  query(codes: Uint8Array | 'all') {
    this.#note('query', codes === 'all' ? codes : hex(codes));
  }
  readPartition(command: string) {
    this.#note('readPartition', command);
  }
  createPartition() {
    this.#note('createPartition');
  }
  fileTransfer(body: Uint8Array) {
    this.#note('fileTransfer', hex(body));
  }

  #note(...words: readonly (string | number | boolean)[]) {
    this.calls.push(words.join(' '));
  }
}

function pairsOf({ record, start, count }: AttributePairs): string {
  return hex(record.subarray(start, start + 2 * count));
}
