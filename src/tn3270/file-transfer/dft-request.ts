import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** What a host asks for in the structured field 0xD0 (File Transfer Data), by the two bytes behind the identifier. */
export const dftRequests = {
  open: 0x0012,
  close: 0x4112,
  setCursor: 0x4511,
  get: 0x4611,
  insert: 0x4711,
  data: 0x4704,
} as const;

export type DftRequest =
  /** `FT:DATA` for the file, `FT:MSG` for the words that end a transfer. */
  | { readonly kind: 'open'; readonly name: string }
  | { readonly kind: 'data'; readonly data: Uint8Array }
  | { readonly kind: 'close' | 'setCursor' | 'get' | 'insert' };

const DATA_HEAD = 7;
/** The length of the data counts itself and the three bytes before it. */
export const DATA_LENGTH_EXTRA = 5;
export const NOT_COMPRESSED = 0xc080;
export const BEGIN_DATA = 0x61;
const LONGEST_NAME = 40;

/** Self-defining parameters of Open before and after the access, with their lengths. */
const functionParameters = [0x01, 0x06, 0x01, 0x01, 0x04, 0x03];
const sizeParameters = [0x50, 0x05, 0x52, 0x03, 0xf0];
/** Whether the host will send data (Insert) or fetch data (Get). Some terminals (tnz) send an empty file after an Open for Insert. */
const accessParameters = {
  insert: [0x0a, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x11, 0x01, 0x01, 0x00],
  get: [0x0a, 0x0a, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00],
} as const;
const NAME_PARAMETER = 0x03;

/**
 * Reads what stands behind the identifier of the structured field. Never throws.
 *
 * Open has parameters of a code, a length that counts both, and a value; Data has the type, 0xC080 (not compressed), 0x61, and the
 * length of the data and five. Set Cursor, Get, Insert and Close may have parameters, which ask for nothing else.
 */
export function readDftRequest(body: Uint8Array): ReadOutcome<DftRequest> {
  const type = twoBytesAt(body, 0);
  switch (type) {
    case dftRequests.open:
      return readOpen(body);
    case dftRequests.data:
      return readData(body);
    case dftRequests.close:
      return readAs({ kind: 'close' });
    case dftRequests.setCursor:
      return readAs({ kind: 'setCursor' });
    case dftRequests.get:
      return readAs({ kind: 'get' });
    case dftRequests.insert:
      return readAs({ kind: 'insert' });
    default:
      return readFault(
        type === undefined ? 'a request without a type' : `a request of type 0x${type.toString(16).padStart(4, '0')}`,
      );
  }
}

function readOpen(body: Uint8Array): ReadOutcome<DftRequest> {
  for (let at = 2; at < body.length; ) {
    const length = body[at + 1] ?? 0;
    if (length < 2) break;
    if (body[at] === NAME_PARAMETER) {
      const name = body.subarray(at + 2, Math.min(at + length, at + 2 + LONGEST_NAME));
      return readAs({ kind: 'open', name: String.fromCharCode(...name).trimEnd() });
    }
    at += length;
  }
  return readFault('an Open that names nothing');
}

function readData(body: Uint8Array): ReadOutcome<DftRequest> {
  const marks = twoBytesAt(body, 2);
  const told = twoBytesAt(body, 5);
  if (marks === undefined || told === undefined) return readFault('data that are cut short');
  if (marks !== NOT_COMPRESSED || body[4] !== BEGIN_DATA)
    return readFault('data that are compressed or of no known kind');
  const length = told - DATA_LENGTH_EXTRA;
  if (length < 0 || length > body.length - DATA_HEAD) {
    return readFault(`data of length ${length} with ${body.length - DATA_HEAD} bytes left`);
  }
  return readAs({ kind: 'data', data: body.subarray(DATA_HEAD, DATA_HEAD + length) });
}

/** The body of the structured field, as `readDftRequest` reads it. @param access of an Open */
export function dftRequestBody(request: DftRequest, access: keyof typeof accessParameters = 'insert'): Uint8Array {
  const type = twoBytes(dftRequests[request.kind]);
  switch (request.kind) {
    case 'open': {
      // the name is written in seven characters
      const name = Array.from(request.name.padEnd(7), (character) => character.charCodeAt(0));
      const parameters = [...functionParameters, ...accessParameters[access], ...sizeParameters];
      return Uint8Array.of(...type, ...parameters, NAME_PARAMETER, name.length + 2, ...name);
    }
    case 'data':
      return followedBy([...type, ...dataMarks(request.data)], request.data);
    case 'setCursor':
      return Uint8Array.of(...type, 0x01, 0x05, 0x00, 0x06, 0x00, 0x09, 0x05, 0x01, 0x03, 0x00);
    case 'get':
      return Uint8Array.of(...type, 0x01, 0x04, 0x00, 0x80);
    case 'insert':
      return Uint8Array.of(...type, 0x01, 0x05, 0x00, 0x80, 0x00);
    default:
      return Uint8Array.of(...type);
  }
}

/** What stands before data. */
export function dataMarks({ length }: Uint8Array): number[] {
  return [...twoBytes(NOT_COMPRESSED), BEGIN_DATA, ...twoBytes(length + DATA_LENGTH_EXTRA)];
}

export function followedBy(head: readonly number[], data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + data.length);
  bytes.set(head);
  bytes.set(data, head.length);
  return bytes;
}

export function twoBytes(value: number): [number, number] {
  return [(value >> 8) & 0xff, value & 0xff];
}

/** Undefined where there are no two. */
export function twoBytesAt(bytes: Uint8Array, at: number): number | undefined {
  const [high, low] = [bytes[at], bytes[at + 1]];
  return high === undefined || low === undefined ? undefined : (high << 8) | low;
}
