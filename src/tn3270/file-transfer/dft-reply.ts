import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import {
  BEGIN_DATA,
  DATA_LENGTH_EXTRA,
  dataMarks,
  dftRequests,
  followedBy,
  NOT_COMPRESSED,
  twoBytes,
  twoBytesAt,
} from './dft-request.js';

/** What a terminal answers to a request of DFT. Records are numbered from 1 behind each Open. */
export type DftReply =
  | { readonly kind: 'opened' | 'closed' | 'endOfFile' }
  | { readonly kind: 'accepted'; readonly number: number }
  | { readonly kind: 'data'; readonly number: number; readonly data: Uint8Array }
  /** The high byte of the request that failed. */
  | { readonly kind: 'failed'; readonly request: number };

const ATTENTION = 0x88;
const FILE_TRANSFER = 0xd0;
const replyTypes = { opened: 0x0009, closed: 0x4109, accepted: 0x4705, data: 0x4605 } as const;
const ERROR_REPLY = 0x08;
const RECORD_NUMBER = 0x6306;
const ERROR_CODE = 0x6904;
const END_OF_FILE = 0x2200;
const COMMAND_FAILED = 0x0100;
/** Of a record: the attention identifier, the length, the identifier and the type. */
const RECORD_HEAD = 6;
const NOTHING = new Uint8Array(0);
/** Bytes of a record of data before the data. */
export const REPLY_DATA_HEAD = 17;

/** The record of a reply: AID 0x88 and one structured field. */
export function dftReplyRecord(reply: DftReply): Uint8Array {
  const words = replyWords(reply);
  const data = reply.kind === 'data' ? reply.data : NOTHING;
  const length = words.length + data.length;
  return followedBy([ATTENTION, ...twoBytes(length + 3), FILE_TRANSFER, ...words], data);
}

/** All but the data. */
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

/** Reads the record of a terminal: one structured field behind the attention identifier. Never throws. */
export function readDftReply(record: Uint8Array): ReadOutcome<DftReply> {
  const told = twoBytesAt(record, 1);
  const type = twoBytesAt(record, 4);
  if (told === undefined || type === undefined) return readFault('a reply that is cut short');
  if (record[0] !== ATTENTION || record[3] !== FILE_TRANSFER)
    return readFault('a record that is no reply of a file transfer');
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
    return readFault('data of no known kind');
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
