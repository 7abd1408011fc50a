import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { checksum, twoDigits, valueOfDigits } from './cut-coding.js';

/** A frame of CUT takes the first 1,920 positions of a screen; the last of them holds the attribute that marks it. */
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
/** What a host may send at once: up to where the terminal answers. */
export const MOST_CUT_DATA = 1_914 - DATA;

/** Of a frame in which the host wants data: a field attribute, and behind it what the terminal fills in. */
export const REQUEST_ATTRIBUTE = 1;
const REQUEST_SEQUENCE = 3;
const SENT_CHECKSUM = 4;
const SENT_DATA = 7;
export const MOST_CUT_SENT = CUT_MARK - SENT_DATA;

/** Where a terminal says that it gives up. */
export const REFUSAL = 1_915;

export type CutFrame =
  | { readonly kind: 'acknowledge' | 'complete' | 'retransmit' }
  /** The host has given up, and says why in codes of its own. */
  | { readonly kind: 'aborted'; readonly message: Uint8Array }
  | { readonly kind: 'dataRequest'; readonly sequence: number }
  | { readonly kind: 'data'; readonly sequence: number; readonly characters: Uint8Array };

/** Reads the frame that a screen holds; `screen` has a code for each position, 0 for a field attribute. Never throws. */
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
      // the checksum is the network's task: terminals do not look at it, and not all hosts fill it in
      if (length === undefined || length > MOST_CUT_DATA) return readFault('a frame of no possible length');
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

/** Codes for positions of the screen. */
export interface CutWrite {
  readonly at: number;
  readonly codes: Uint8Array;
}

/** What a terminal fills in where the host wants data: sequence, checksum, length in two digits, data. */
export function sentData(sequence: number, characters: Uint8Array): CutWrite {
  const codes = new Uint8Array(SENT_DATA - REQUEST_SEQUENCE + characters.length);
  codes.set([sequence, checksum(characters), ...twoDigits(characters.length)]);
  codes.set(characters, SENT_DATA - REQUEST_SEQUENCE);
  return { at: REQUEST_SEQUENCE, codes };
}

/** What a terminal fills in to give up. */
export function refusal(sequence: number, reason: number): CutWrite {
  return { at: REFUSAL, codes: Uint8Array.of(cutFrameTypes.control, sequence, reason >> 8, reason & 0xff) };
}

/** Reads what a terminal filled in, from the position behind the attribute of the request on; blanks of the end may be left out. */
export function readSentData(sequence: number, field: Uint8Array): ReadOutcome<Uint8Array> {
  const head = SENT_CHECKSUM - REQUEST_ATTRIBUTE - 1;
  const length = valueOfDigits(field[head + 1], field[head + 2]);
  if (length === undefined || length > MOST_CUT_SENT) return readFault('an answer of no possible length');
  const data = field.subarray(head + 3, head + 3 + length);
  if (data.length < length) return readFault(`an answer of length ${length} with ${data.length} characters`);
  if (field[head - 1] !== sequence) return readFault('an answer out of sequence');
  return field[head] === checksum(data) ? readAs(data) : readFault('an answer with a wrong checksum');
}

/** A data frame from its first position on. */
export function dataFrame(sequence: number, characters: Uint8Array): Uint8Array {
  const head = [cutFrameTypes.data, sequence, checksum(characters), ...twoDigits(characters.length)];
  return Uint8Array.of(...head, ...characters);
}
