import { WriteEncoder } from '../../src/tn3270/datastream/encoder.js';
import { encodeRecord } from '../../src/tn3270/telnet/telnet-encoder.js';

const HEADER = new Uint8Array(5);
const POSITIONS = 1_920;

/** DO TN3270E, device IBM-3278-2-E, functions RESPONSES and SYSREQ: without BIND-IMAGE no BIND is needed. */
export const AGREEMENT = Buffer.from(
  'fffd28fffa280802fff0fffa28020449424d2d333237382d322d450154455354fff0fffa2803040204fff0',
  'hex',
);

/** Screens like those of real applications, in turn: a full panel, a list, an update of a few fields. */
export function recordStream(records: number): Buffer {
  const shapes = [panel(), list(), update()].map((record) => encodeRecord(record, HEADER));
  return Buffer.concat(Array.from({ length: records }, (_, at) => shapes[at % shapes.length] ?? new Uint8Array(0)));
}

function panel(): Uint8Array {
  const encoder = new WriteEncoder('eraseWrite', { restoreKeyboard: true, resetModified: true }, POSITIONS);
  for (let row = 0; row < 22; row++) {
    encoder.setBufferAddress(row * 80).startFieldExtended([
      [0xc0, 0xe0],
      [0x42, 0xf4],
    ]);
    encoder.text(new Uint8Array(20).fill(0x81 + (row % 9)));
    encoder.startField(0x40).text(new Uint8Array(30).fill(0xf0 + (row % 10)));
    encoder.startField(0xf0);
  }
  return encoder.setBufferAddress(22).insertCursor().finish();
}

function list(): Uint8Array {
  const encoder = new WriteEncoder('eraseWrite', { restoreKeyboard: true }, POSITIONS);
  for (let row = 0; row < 24; row++) {
    encoder
      .setBufferAddress(row * 80)
      .startField(0x60)
      .text(new Uint8Array(78).fill(0xc1 + (row % 9)));
  }
  return encoder.repeatToAddress(0, [0x40]).finish();
}

function update(): Uint8Array {
  const encoder = new WriteEncoder('write', { restoreKeyboard: true }, POSITIONS);
  for (let row = 1; row < 8; row++) {
    encoder
      .setBufferAddress(row * 80 + 1)
      .setAttribute(0x42, 0xf2)
      .text(Uint8Array.of(0xf1, 0xf2, 0xf3, 0xf4));
    encoder.setAttribute(0x42, 0x00);
  }
  return encoder.finish();
}
