import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** Requests in the structured field 0xD0 (File Transfer Data): the two bytes after the identifier. */
export const dftRequests = {
  open: 0x0012,
  close: 0x4112,
  setCursor: 0x4511,
  get: 0x4611,
  insert: 0x4711,
  data: 0x4704,
} as const;

const kindOfType: ReadonlyMap<number, keyof typeof dftRequests> = new Map(
  (Object.keys(dftRequests) as (keyof typeof dftRequests)[]).map((kind) => [dftRequests[kind], kind]),
);

export type DftRequest =
  /** `FT:DATA` for the file, `FT:MSG` for the message that ends a transfer. */
  | { readonly kind: 'open'; readonly name: string }
  | { readonly kind: 'data'; readonly data: Uint8Array }
  | { readonly kind: 'close' | 'setCursor' | 'get' | 'insert' };

const DATA_HEAD = 7;
/** The length of the data includes itself and the three bytes before it. */
const DATA_LENGTH_EXTRA = 5;
const NOT_COMPRESSED = 0xc080;
const BEGIN_DATA = 0x61;
const LONGEST_NAME = 40;

const functionParameters = [0x01, 0x06, 0x01, 0x01, 0x04, 0x03];
const sizeParameters = [0x50, 0x05, 0x52, 0x03, 0xf0];
/**
 * The access says that the host will send data (Insert) or read data (Get). Some terminals (tnz) send an empty file
 * after an Open for Insert.
 */
const accessParameters = {
  insert: [0x0a, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x11, 0x01, 0x01, 0x00],
  get: [0x0a, 0x0a, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00],
} as const;
const NAME_PARAMETER = 0x03;

/**
 * Reads the bytes after the identifier of the structured field. Never throws.
 *
 * Open has parameters: a code, a length that includes both, and a value. Data has the type, 0xC080 (not compressed),
 * 0x61, and the length of the data plus five. Parameters of Set Cursor, Get, Insert and Close are ignored.
 */
export function readDftRequest(body: Uint8Array): ReadOutcome<DftRequest> {
  const type = twoBytesAt(body, 0);
  const kind = type === undefined ? undefined : kindOfType.get(type);
  if (kind === 'open') return readOpen(body);
  if (kind === 'data') return readData(body);
  if (kind !== undefined) return readAs({ kind });
  return readFault(
    type === undefined ? 'a request without a type' : `a request of type 0x${type.toString(16).padStart(4, '0')}`,
  );
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
  return readFault('an Open without a file name');
}

function readData(body: Uint8Array): ReadOutcome<DftRequest> {
  const marks = twoBytesAt(body, 2);
  const told = twoBytesAt(body, 5);
  if (marks === undefined || told === undefined) return readFault('truncated data');
  if (marks !== NOT_COMPRESSED || body[4] !== BEGIN_DATA)
    return readFault('compressed data or data of an unknown type');
  const length = told - DATA_LENGTH_EXTRA;
  if (length < 0 || length > body.length - DATA_HEAD) {
    return readFault(`data of length ${length} with ${body.length - DATA_HEAD} bytes left`);
  }
  return readAs({ kind: 'data', data: body.subarray(DATA_HEAD, DATA_HEAD + length) });
}

/** Writes a body that `readDftRequest` reads. @param access applies to Open only */
export function dftRequestBody(request: DftRequest, access: keyof typeof accessParameters = 'insert'): Uint8Array {
  const type = twoBytes(dftRequests[request.kind]);
  switch (request.kind) {
    case 'open': {
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

function dataMarks({ length }: Uint8Array): number[] {
  return [...twoBytes(NOT_COMPRESSED), BEGIN_DATA, ...twoBytes(length + DATA_LENGTH_EXTRA)];
}

function followedBy(head: readonly number[], data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + data.length);
  bytes.set(head);
  bytes.set(data, head.length);
  return bytes;
}

function twoBytes(value: number): [number, number] {
  return [(value >> 8) & 0xff, value & 0xff];
}

export function twoBytesAt(bytes: Uint8Array, at: number): number | undefined {
  const [high, low] = [bytes[at], bytes[at + 1]];
  return high === undefined || low === undefined ? undefined : (high << 8) | low;
}

/** Answer of a terminal to a DFT request. Records are numbered from 1 after each Open. */
export type DftReply =
  | { readonly kind: 'opened' | 'closed' | 'endOfFile' }
  | { readonly kind: 'accepted'; readonly number: number }
  | { readonly kind: 'data'; readonly number: number; readonly data: Uint8Array }
  /** High byte of the failed request. */
  | { readonly kind: 'failed'; readonly request: number };

const ATTENTION = 0x88;
const FILE_TRANSFER = 0xd0;
const replyTypes = { opened: 0x0009, closed: 0x4109, accepted: 0x4705, data: 0x4605 } as const;
const ERROR_REPLY = 0x08;
const RECORD_NUMBER = 0x6306;
const ERROR_CODE = 0x6904;
const END_OF_FILE = 0x2200;
const COMMAND_FAILED = 0x0100;
const RECORD_HEAD = 6;
const NOTHING = new Uint8Array(0);
export const REPLY_DATA_HEAD = 17;

/** Writes the record of a reply: AID 0x88 and one structured field. */
export function dftReplyRecord(reply: DftReply): Uint8Array {
  const words = replyWords(reply);
  const data = reply.kind === 'data' ? reply.data : NOTHING;
  const length = words.length + data.length;
  return followedBy([ATTENTION, ...twoBytes(length + 3), FILE_TRANSFER, ...words], data);
}

function replyWords(reply: DftReply): number[] {
  switch (reply.kind) {
    case 'accepted':
      return [...twoBytes(replyTypes.accepted), ...twoBytes(RECORD_NUMBER), ...fourBytes(reply.number)];
    case 'data': {
      const words = [...twoBytes(replyTypes.data), ...twoBytes(RECORD_NUMBER), ...fourBytes(reply.number)];
      return [...words, ...dataMarks(reply.data)];
    }
    case 'endOfFile':
      return failure(dftRequests.get >> 8, END_OF_FILE);
    case 'failed':
      return failure(reply.request, COMMAND_FAILED);
    default:
      return [...twoBytes(replyTypes[reply.kind])];
  }
}

function failure(request: number, code: number): number[] {
  return [request, ERROR_REPLY, ...twoBytes(ERROR_CODE), ...twoBytes(code)];
}

function fourBytes(value: number): number[] {
  return [...twoBytes(value >>> 16), ...twoBytes(value)];
}

/** Reads the record of a terminal: an attention identifier and one structured field. Never throws. */
export function readDftReply(record: Uint8Array): ReadOutcome<DftReply> {
  const told = twoBytesAt(record, 1);
  const type = twoBytesAt(record, 4);
  if (told === undefined || type === undefined) return readFault('a reply that is truncated');
  if (record[0] !== ATTENTION || record[3] !== FILE_TRANSFER)
    return readFault('a record that is not a reply of a file transfer');
  if (told > record.length - 1 || told < RECORD_HEAD - 1) {
    return readFault(`a reply of length ${told} with ${record.length - 1} bytes left`);
  }
  const field = record.subarray(0, told + 1);
  switch (type) {
    case replyTypes.opened:
      return readAs({ kind: 'opened' });
    case replyTypes.closed:
      return readAs({ kind: 'closed' });
    case replyTypes.accepted:
    case replyTypes.data:
      return readNumbered(field, type);
    default:
      return (type & 0xff) === ERROR_REPLY ? readFailure(field) : readFault(`a reply of type 0x${type.toString(16)}`);
  }
}

function readNumbered(field: Uint8Array, type: number): ReadOutcome<DftReply> {
  const [high, low] = [twoBytesAt(field, 8), twoBytesAt(field, 10)];
  if (twoBytesAt(field, 6) !== RECORD_NUMBER || high === undefined || low === undefined) {
    return readFault('a reply without the number of its record');
  }
  const number = high * 0x1_0000 + low;
  if (type === replyTypes.accepted) return readAs({ kind: 'accepted', number });
  const length = (twoBytesAt(field, 15) ?? 0) - DATA_LENGTH_EXTRA;
  if (twoBytesAt(field, 12) !== NOT_COMPRESSED || field[14] !== BEGIN_DATA || length < 0) {
    return readFault('data of an unknown type');
  }
  if (length > field.length - REPLY_DATA_HEAD) {
    return readFault(`data of length ${length} with ${field.length - REPLY_DATA_HEAD} bytes left`);
  }
  return readAs({ kind: 'data', number, data: field.subarray(REPLY_DATA_HEAD, REPLY_DATA_HEAD + length) });
}

function readFailure(field: Uint8Array): ReadOutcome<DftReply> {
  const code = twoBytesAt(field, 8);
  if (twoBytesAt(field, 6) !== ERROR_CODE || code === undefined) return readFault('an error without its code');
  const request = field[4] as number;
  return readAs(
    code === END_OF_FILE && request === dftRequests.get >> 8 ? { kind: 'endOfFile' } : { kind: 'failed', request },
  );
}
