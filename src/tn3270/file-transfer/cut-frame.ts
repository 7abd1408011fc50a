import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** A CUT frame uses the first 1,920 positions of a screen. Position 1,919 holds the attribute that marks the frame. */
export const CUT_POSITIONS = 1_920;
export const CUT_MARK = 1_919;

export const cutFrameTypes = { data: 0xc1, dataRequest: 0xc2, control: 0xc3, retransmit: 0x4c } as const;
export const cutControls = {
  acknowledge: 0x8181,
  complete: 0x8189,
  abortFile: 0x8194,
  abortTransmission: 0x8198,
} as const;

const SEQUENCE = 1;
const CONTROL_CODE = 2;
const CONTROL_MESSAGE = 4;
const MOST_MESSAGE = 80;
const DATA_LENGTH = 3;
const DATA = 5;
/** Data ends before position 1,914: the answer of the terminal starts there. */
export const MOST_CUT_DATA = 1_914 - DATA;

/** Position of the field attribute in a data request; the terminal fills in the field after it. */
export const REQUEST_ATTRIBUTE = 1;
const REQUEST_SEQUENCE = 3;
const SENT_CHECKSUM = 4;
const SENT_DATA = 7;
export const MOST_CUT_SENT = CUT_MARK - SENT_DATA;

export const REFUSAL = 1_915;

export type CutFrame =
  | { readonly kind: 'acknowledge' | 'complete' | 'retransmit' }
  /** The host cancelled the transfer. `message` is in the code page of the host. */
  | { readonly kind: 'aborted'; readonly message: Uint8Array }
  | { readonly kind: 'dataRequest'; readonly sequence: number }
  | { readonly kind: 'data'; readonly sequence: number; readonly characters: Uint8Array };

/** Reads a frame. `screen` has one code for each position, 0 for field attributes. Never throws. */
export function readCutFrame(screen: Uint8Array): ReadOutcome<CutFrame> {
  if (screen.length !== CUT_POSITIONS) return readFault(`a frame of ${screen.length} positions`);
  switch (screen[0]) {
    case cutFrameTypes.control:
      return readControl(screen);
    case cutFrameTypes.dataRequest:
      return readAs({ kind: 'dataRequest', sequence: screen[REQUEST_SEQUENCE] as number });
    case cutFrameTypes.retransmit:
      return readAs({ kind: 'retransmit' });
    case cutFrameTypes.data: {
      const length = valueOfDigits(screen[DATA_LENGTH], screen[DATA_LENGTH + 1]);
      // The checksum is not verified: terminals ignore it, and some hosts leave it empty.
      if (length === undefined || length > MOST_CUT_DATA) return readFault('a frame of an invalid length');
      const characters = screen.subarray(DATA, DATA + length);
      return readAs({ kind: 'data', sequence: screen[SEQUENCE] as number, characters });
    }
    default:
      return readFault(`a frame of type 0x${(screen[0] as number).toString(16).padStart(2, '0')}`);
  }
}

function readControl(screen: Uint8Array): ReadOutcome<CutFrame> {
  const code = ((screen[CONTROL_CODE] as number) << 8) | (screen[CONTROL_CODE + 1] as number);
  switch (code) {
    case cutControls.acknowledge:
      return readAs({ kind: 'acknowledge' });
    case cutControls.complete:
      return readAs({ kind: 'complete' });
    case cutControls.abortFile:
    case cutControls.abortTransmission:
      return readAs({ kind: 'aborted', message: screen.slice(CONTROL_MESSAGE, CONTROL_MESSAGE + MOST_MESSAGE) });
    default:
      return readFault(`a control code 0x${code.toString(16).padStart(4, '0')}`);
  }
}

export interface CutWrite {
  readonly at: number;
  readonly codes: Uint8Array;
}

/** Answer of a terminal to a data request: sequence, checksum, length in two digits, data. */
export function sentData(sequence: number, characters: Uint8Array): CutWrite {
  const codes = new Uint8Array(SENT_DATA - REQUEST_SEQUENCE + characters.length);
  codes.set([sequence, checksum(characters), ...twoDigits(characters.length)]);
  codes.set(characters, SENT_DATA - REQUEST_SEQUENCE);
  return { at: REQUEST_SEQUENCE, codes };
}

export function refusal(sequence: number, reason: number): CutWrite {
  return { at: REFUSAL, codes: Uint8Array.of(cutFrameTypes.control, sequence, reason >> 8, reason & 0xff) };
}

/**
 * Reads the answer to a data request.
 * @param field positions after the attribute of the request; trailing blanks may be missing
 */
export function readSentData(sequence: number, field: Uint8Array): ReadOutcome<Uint8Array> {
  const head = SENT_CHECKSUM - REQUEST_ATTRIBUTE - 1;
  const length = valueOfDigits(field[head + 1], field[head + 2]);
  if (length === undefined || length > MOST_CUT_SENT) return readFault('an answer of an invalid length');
  const data = field.subarray(head + 3, head + 3 + length);
  if (data.length < length) return readFault(`an answer of length ${length} with ${data.length} characters`);
  if (field[head - 1] !== sequence) return readFault('an answer out of sequence');
  return field[head] === checksum(data) ? readAs(data) : readFault('an answer with a wrong checksum');
}

export function dataFrame(sequence: number, characters: Uint8Array): Uint8Array {
  const head = [cutFrameTypes.data, sequence, checksum(characters), ...twoDigits(characters.length)];
  return Uint8Array.of(...head, ...characters);
}

/**
 * CUT encodes bytes as displayable characters. Each of four quadrants maps 77 characters to bytes. A selector precedes
 * the first character of a different quadrant. The tables are those of s3270 4.1, verified with every selector and
 * character.
 */
const ALPHABET =
  '40c1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9818283848586878889919293949596979899a2a3a4a5a6a7a8a9' +
  'f0f1f2f3f4f5f6f7f8f96c506d4d5d4c4e6b604b617a6e6f';
const alphabet = codes(ALPHABET);
/** `..`: the quadrant has no byte for this character. */
const quadrants = [
  quadrant(0x5e, ALPHABET),
  quadrant(
    0x7e,
    '204142434445464748494a4b4c4d4e4f505152535455565758595a6162636465666768696a6b6c6d6e6f707172737475767778797a' +
      '3031323334353637383925262728292a2b2c2d2e2f3a3b3f',
  ),
  quadrant(
    0x5c,
    '..000102030405060708090a0b0c0d0e0f10111213141516171819....................................................' +
      '3c3d3e..fafbfcfdfeff7b7c7d7e7f1a1b1c1d1e1f......',
  ),
  quadrant(
    0x7d,
    '..a0a1eaebecedeeefe0e1aaabacadaeafb0b1b2b3b4b5b6b7b8b980..cacbcccdcecfc0..8a8b8c8d8e8f90..dadbdcdddedfd0..' +
      '..21222324 5b5c..5e5f..9c9d9e9fbabbbcbdbebf9a9b..'.replace(' ', ''),
  ),
] as const;

interface Quadrant {
  readonly selector: number;
  /** Indexed by code of the character; -1: none. */
  readonly bytes: Int16Array;
  /** Indexed by byte; 0: not in this quadrant. */
  readonly characters: Uint8Array;
}

function codes(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((pair) => (pair === '..' ? -1 : Number.parseInt(pair, 16)));
}

function quadrant(selector: number, hex: string): Quadrant {
  const bytes = new Int16Array(256).fill(-1);
  const characters = new Uint8Array(256);
  for (const [at, byte] of codes(hex).entries()) {
    const character = alphabet[at] as number;
    bytes[character] = byte;
    if (byte >= 0) characters[byte] = character;
  }
  return { selector, bytes, characters };
}

const quadrantOfByte: readonly (Quadrant | undefined)[] = Array.from({ length: 256 }, (_, byte) =>
  quadrants.find(({ characters }) => characters[byte] !== 0),
);
const quadrantOfSelector: readonly (Quadrant | undefined)[] = Array.from({ length: 256 }, (_, code) =>
  quadrants.find(({ selector }) => selector === code),
);

/** Marks the end of the file. No encoder produces these codes, because no quadrant maps them to a byte. */
export const END_OF_FILE_CODES = Uint8Array.of(0x5c, 0xa9);

/** Encodes one file, frame by frame. The selected quadrant stays selected in the next frame. */
export class CutEncoder {
  #quadrant: Quadrant | undefined;

  encode(bytes: Uint8Array, most: number): { readonly codes: Uint8Array; readonly taken: number } {
    const encoded = new Uint8Array(most);
    let length = 0;
    let taken = 0;
    for (; taken < bytes.length; taken++) {
      const byte = bytes[taken] as number;
      let character = this.#quadrant?.characters[byte] ?? 0;
      if (character === 0) {
        if (length + 2 > most) break;
        const next = quadrantOfByte[byte] as Quadrant;
        this.#quadrant = next;
        encoded[length++] = next.selector;
        character = next.characters[byte] as number;
      } else if (length + 1 > most) break;
      encoded[length++] = character;
    }
    return { codes: encoded.subarray(0, length), taken };
  }
}

export class CutDecoder {
  #quadrant: Quadrant | undefined;

  decode(characters: Uint8Array): ReadOutcome<Uint8Array> {
    const bytes = new Uint8Array(characters.length);
    let length = 0;
    for (const code of characters) {
      const byte = this.#quadrant?.bytes[code] ?? -1;
      if (byte >= 0) {
        bytes[length++] = byte;
        continue;
      }
      const selected = quadrantOfSelector[code];
      if (selected === undefined)
        return readFault(`a character 0x${code.toString(16).padStart(2, '0')} that does not represent a byte`);
      this.#quadrant = selected;
    }
    return readAs(bytes.subarray(0, length));
  }
}

/** Base 64 digits in EBCDIC: a to z, &-.,:+, A to Z, 0 to 5. */
const digits = codes(
  '818283848586878889919293949596979899a2a3a4a5a6a7a8a950604b6b7a4ec1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9f0f1f2f3f4f5',
);
const valueOfDigit = new Int16Array(256).fill(-1);
for (const [value, code] of digits.entries()) valueOfDigit[code] = value;

export function sixBits(value: number): number {
  return digits[value & 0x3f] as number;
}

export function twoDigits(value: number): [number, number] {
  return [sixBits(value >> 6), sixBits(value)];
}

function valueOfDigits(high: number | undefined, low: number | undefined): number | undefined {
  const [upper, lower] = [valueOfDigit[high ?? 0] ?? -1, valueOfDigit[low ?? 0] ?? -1];
  return upper < 0 || lower < 0 ? undefined : (upper << 6) | lower;
}

export function checksum(characters: Uint8Array): number {
  return sixBits(characters.reduce((sum, code) => sum ^ code, 0));
}
