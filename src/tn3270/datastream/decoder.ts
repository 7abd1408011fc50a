import { decodeBufferAddress } from './buffer-address.js';
import { findCommand } from './commands.js';
import {
  type DataStreamFault,
  type DataStreamHandler,
  type ProgramCheck,
  programChecks,
  type ReadCommand,
  type ReplyMode,
  type WriteCommand,
  type WriteFault,
  type WriteHandler,
} from './data-stream-handler.js';
import { isCharacter, orders, SPACE } from './orders.js';
import {
  NO_PARTITION,
  ONLY_PARTITION,
  queryListRequests,
  readOperations,
  replyModes,
  structuredFields,
} from './structured-fields.js';

/**
 * Decodes one record as between two IAC EOR, without TN3270E header (GA23-0059, chapters 3 to 5). Never throws. Takes
 * time linear in the record's length, plus the size of the presentation space per order that fills.
 * @returns the fault that ended decoding, or the last one of a structured field; the handler has received all before it
 */
export function decodeOutboundRecord(record: Uint8Array, handler: DataStreamHandler): DataStreamFault | undefined {
  const code = record[0];
  if (code === undefined) return undefined;
  const command = findCommand(code);
  switch (command) {
    case 'write':
    case 'eraseWrite':
    case 'eraseWriteAlternate':
      return decodeWrite(command, record, 0, record.length, handler);
    case 'eraseAllUnprotected':
      handler.eraseAllUnprotected();
      return undefined;
    case 'readBuffer':
    case 'readModified':
    case 'readModifiedAll':
      handler.read(command);
      return undefined;
    case 'writeStructuredField':
      return decodeStructuredFields(record, 1, record.length, handler);
    case 'noOperation':
      return undefined;
    case undefined:
      return {
        sense: 'commandReject',
        programCheck: programChecks.command,
        reason: `0x${code.toString(16).padStart(2, '0')} is not a command`,
        offset: 0,
      };
  }
}

const SHORTEST_FIELD = 3;
/** Bounds the number of small fields; `isExhausted` bounds expensive ones. */
const MOST_STRUCTURED_FIELDS = 256;

interface Field {
  readonly record: Uint8Array;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

type FieldDecoder = (field: Field, handler: DataStreamHandler) => DataStreamFault | undefined;

/**
 * Layout of a field: length (two bytes; 0: up to the end of the record), identifier (one or two bytes), content.
 * Continues after an invalid field, but not after an invalid length.
 */
function decodeStructuredFields(record: Uint8Array, start: number, end: number, handler: DataStreamHandler) {
  let fault: DataStreamFault | undefined;
  let at = start;
  for (let count = 0; at < end; count++) {
    if (count === MOST_STRUCTURED_FIELDS) return reject(at, `more than ${MOST_STRUCTURED_FIELDS} structured fields`);
    if (handler.isExhausted) return reject(at, 'structured fields that take too long');
    const length = at + 1 < end ? ((record[at] as number) << 8) | (record[at + 1] as number) : -1;
    const fieldEnd = length === 0 ? end : at + length;
    if (fieldEnd - at < SHORTEST_FIELD || fieldEnd > end) {
      const reason = `a structured field of length ${Math.max(length, 0)} with ${end - at} bytes left`;
      return reject(at, reason, programChecks.structuredFieldLength);
    }
    fault = decodeField(record, at, fieldEnd, handler) ?? fault;
    at = fieldEnd;
  }
  return fault;
}

function decodeField(
  record: Uint8Array,
  start: number,
  end: number,
  handler: DataStreamHandler,
): DataStreamFault | undefined {
  const first = record[start + 2] as number;
  if (first !== 0x0f && first !== 0x10) {
    const decoder = decoders[first];
    return decoder === undefined
      ? reject(start, `structured field 0x${first.toString(16)} is not known`)
      : decoder({ record, start, body: start + 3, end }, handler);
  }
  const identifier = (first << 8) | (record[start + 3] ?? 0);
  const decoder = end - start > SHORTEST_FIELD ? twoByteDecoders.get(identifier) : undefined;
  return decoder === undefined
    ? reject(start, `structured field 0x${identifier.toString(16)} is not known`)
    : decoder({ record, start, body: start + 4, end }, handler);
}

const decoders: Readonly<Record<number, FieldDecoder>> = {
  [structuredFields.resetPartition]: onlyPartition(() => undefined),
  [structuredFields.createPartition]: onlyPartition((_field, handler) => handler.createPartition()),
  [structuredFields.destroyPartition]: onlyPartition(() => undefined),
  [structuredFields.activatePartition]: onlyPartition(() => undefined),
  [structuredFields.eraseReset]: decodeEraseReset,
  [structuredFields.setReplyMode]: decodeSetReplyMode,
  [structuredFields.readPartition]: decodeReadPartition,
  [structuredFields.outbound3270DataStream]: decodeOutbound3270DataStream,
  [structuredFields.fileTransfer]: (field, handler) => {
    handler.fileTransfer(field.record.subarray(field.body, field.end));
    return undefined;
  },
};

const twoByteDecoders: ReadonlyMap<number, FieldDecoder> = new Map([
  // Data Chain only groups records; each record is processed on arrival.
  [structuredFields.dataChain, () => undefined],
]);

function onlyPartition(act: (field: Field, handler: DataStreamHandler) => void): FieldDecoder {
  return (field, handler) => {
    if (field.body >= field.end) return cutShort(field);
    if (field.record[field.body] !== ONLY_PARTITION) return otherPartition(field);
    act(field, handler);
    return undefined;
  };
}

/** One byte of flags: bit 0 selects the alternate size, the others are zero. */
function decodeEraseReset(
  { record, start, body, end }: Field,
  handler: DataStreamHandler,
): DataStreamFault | undefined {
  const flags = record[body];
  if (end - body !== 1 || (flags !== 0x00 && flags !== 0x80)) return reject(start, 'Erase/Reset is malformed');
  handler.eraseReset(flags === 0x80);
  return undefined;
}

const modeOfCode: Readonly<Record<number, ReplyMode>> = {
  [replyModes.field]: 'field',
  [replyModes.extendedField]: 'extendedField',
  [replyModes.character]: 'character',
};

/** Partition, mode, then the attribute types for character mode. */
function decodeSetReplyMode(field: Field, handler: DataStreamHandler): DataStreamFault | undefined {
  const { record, start, body, end } = field;
  if (end - body < 2) return cutShort(field);
  if (record[body] !== ONLY_PARTITION) return otherPartition(field);
  const mode = modeOfCode[record[body + 1] as number];
  if (mode === undefined) return reject(start, `reply mode ${record[body + 1]} is not known`, programChecks.replyMode);
  handler.setReplyMode(mode, record.slice(body + 2, end));
  return undefined;
}

/** Partition, operation; for Query List also the request type and the requested codes. */
function decodeReadPartition(field: Field, handler: DataStreamHandler): DataStreamFault | undefined {
  const { record, start, body, end } = field;
  if (end - body < 2) return cutShort(field);
  const operation = record[body + 1] as number;
  const isQuery = operation === readOperations.query || operation === readOperations.queryList;
  if (record[body] !== (isQuery ? NO_PARTITION : ONLY_PARTITION)) return otherPartition(field);
  if (operation === readOperations.query) {
    handler.query('all');
    return undefined;
  }
  if (operation === readOperations.queryList) return decodeQueryList(field, handler);
  const command = readOfOperation[operation];
  if (command === undefined) return reject(start, `read operation 0x${operation.toString(16)} is not known`);
  handler.readPartition(command);
  return undefined;
}

const readOfOperation: Readonly<Record<number, ReadCommand>> = {
  [readOperations.readBuffer]: 'readBuffer',
  [readOperations.readModified]: 'readModified',
  [readOperations.readModifiedAll]: 'readModifiedAll',
};

function decodeQueryList(field: Field, handler: DataStreamHandler): DataStreamFault | undefined {
  const { record, start, body, end } = field;
  if (end - body < 3) return cutShort(field);
  switch (record[body + 2]) {
    case queryListRequests.list:
      handler.query(record.slice(body + 3, end));
      return undefined;
    case queryListRequests.equivalentAndList:
    case queryListRequests.all:
      handler.query('all');
      return undefined;
    default:
      return reject(start, `query list request 0x${record[body + 2]?.toString(16)} is not known`);
  }
}

/** Partition, then a write command as at the start of a record. */
function decodeOutbound3270DataStream(field: Field, handler: DataStreamHandler): DataStreamFault | undefined {
  const { record, start, body, end } = field;
  if (end - body < 2) return cutShort(field);
  if (record[body] !== ONLY_PARTITION) return otherPartition(field);
  const command = findCommand(record[body + 1] as number);
  switch (command) {
    case 'eraseAllUnprotected':
      handler.eraseAllUnprotected();
      return undefined;
    case 'write':
    case 'eraseWrite':
    case 'eraseWriteAlternate':
      return decodeWrite(command, record, body + 1, end, handler);
    default:
      return reject(start, 'Outbound 3270DS contains no write command', programChecks.command);
  }
}

function cutShort({ start }: Field): DataStreamFault {
  return reject(start, 'the structured field is truncated', programChecks.structuredFieldLength);
}

function otherPartition({ record, start, body }: Field): DataStreamFault {
  return reject(start, `there is no partition ${record[body]}`, programChecks.partition);
}

function reject(
  offset: number,
  reason: string,
  programCheck: ProgramCheck = programChecks.structuredField,
): DataStreamFault {
  return { sense: 'commandReject', programCheck, reason, offset };
}

/** As a table, because it is read for each code. */
const standsForCharacter = Uint8Array.from({ length: 256 }, (_, code) => Number(isCharacter(code)));

/** Layout: command, write control character, then orders and text. `end` is exclusive. */
function decodeWrite(
  command: WriteCommand,
  record: Uint8Array,
  start: number,
  end: number,
  handler: WriteHandler,
): DataStreamFault | undefined {
  if (end - start < 2) {
    const programCheck = programChecks.missingParameter;
    return { sense: 'commandReject', programCheck, reason: 'no write control character', offset: start };
  }
  handler.beginWrite(command, record[start + 1] as number);
  let at = start + 2;
  while (at < end) {
    const code = record[at] as number;
    if (standsForCharacter[code] === 1) {
      const from = at;
      do at++;
      while (at < end && ((record[at] as number) >= SPACE || standsForCharacter[record[at] as number] === 1));
      const found = handler.text(record, from, at);
      if (found !== undefined) return fault(from, found);
      continue;
    }
    const order = orderDecoders[code];
    if (order === undefined) {
      // skip reserved codes, as the terminals did that hosts were tested with
      at++;
      continue;
    }
    const next = order(record, at, end, handler);
    if (typeof next !== 'number') return next;
    at = next;
  }
  const found = handler.endWrite();
  return found === undefined ? undefined : { ...fault(end, found), drawn: true };
}

type OrderDecoder = (record: Uint8Array, at: number, end: number, handler: WriteHandler) => number | DataStreamFault;

const orderDecoders: Array<OrderDecoder | undefined> = new Array<OrderDecoder | undefined>(256).fill(undefined);

orderDecoders[orders.setBufferAddress] = (record, at, end, handler) => {
  const address = addressAt(record, at + 1, end, handler);
  if (typeof address !== 'number') return address;
  handler.setBufferAddress(address);
  return at + 3;
};

orderDecoders[orders.startField] = (record, at, end, handler) => {
  if (at + 1 >= end) return truncated(at, 'Start Field');
  handler.startField(record[at + 1] as number);
  return at + 2;
};

orderDecoders[orders.startFieldExtended] = (record, at, end, handler) => {
  const pairs = pairsAt(record, at, end, 'Start Field Extended');
  if ('sense' in pairs) return pairs;
  handler.startFieldExtended(pairs);
  return pairs.start + 2 * pairs.count;
};

orderDecoders[orders.modifyField] = (record, at, end, handler) => {
  const pairs = pairsAt(record, at, end, 'Modify Field');
  if ('sense' in pairs) return pairs;
  handler.modifyField(pairs);
  return pairs.start + 2 * pairs.count;
};

orderDecoders[orders.setAttribute] = (record, at, end, handler) => {
  if (at + 2 >= end) return truncated(at, 'Set Attribute');
  handler.setAttribute(record[at + 1] as number, record[at + 2] as number);
  return at + 3;
};

orderDecoders[orders.insertCursor] = (_record, at, _end, handler) => {
  handler.insertCursor();
  return at + 1;
};

orderDecoders[orders.programTab] = (_record, at, _end, handler) => {
  const found = handler.programTab();
  return found === undefined ? at + 1 : fault(at, found);
};

/** RA: two bytes of address, then one byte, GE and one byte, or two bytes at a double-byte position. */
orderDecoders[orders.repeatToAddress] = (record, at, end, handler) => {
  if (at + 3 >= end) return truncated(at, 'Repeat to Address');
  const stop = addressAt(record, at + 1, end, handler);
  if (typeof stop !== 'number') return stop;
  let last = at + 3;
  const graphicEscape = record[last] === orders.graphicEscape;
  if (graphicEscape) last++;
  const first = last;
  const doubleByte = !graphicEscape && handler.takesDoubleByte();
  if (doubleByte) last++;
  if (last >= end) return truncated(at, 'Repeat to Address');
  const second = doubleByte ? (record[last] as number) : undefined;
  const found = handler.repeatToAddress(stop, record[first] as number, second, graphicEscape);
  return found === undefined ? last + 1 : fault(at, found);
};

orderDecoders[orders.eraseUnprotectedToAddress] = (record, at, end, handler) => {
  const stop = addressAt(record, at + 1, end, handler);
  if (typeof stop !== 'number') return stop;
  const found = handler.eraseUnprotectedToAddress(stop);
  return found === undefined ? at + 3 : fault(at, found);
};

orderDecoders[orders.graphicEscape] = (record, at, end, handler) => {
  if (at + 1 >= end) return truncated(at, 'Graphic Escape');
  const found = handler.graphicEscape(record[at + 1] as number);
  return found === undefined ? at + 2 : fault(at, found);
};

function addressAt(record: Uint8Array, at: number, end: number, handler: WriteHandler): number | DataStreamFault {
  if (at + 1 >= end) return truncated(at - 1, 'buffer address');
  const address = decodeBufferAddress(record[at] as number, record[at + 1] as number, handler.addressMode);
  if (address < handler.positions) return address;
  const reason = `address ${address} is outside of ${handler.positions} positions`;
  return fault(at, { programCheck: programChecks.address, reason });
}

function pairsAt(record: Uint8Array, at: number, end: number, order: string) {
  if (at + 1 >= end) return truncated(at, order);
  const count = record[at + 1] as number;
  if (at + 2 + 2 * count > end) return truncated(at, order);
  return { record, start: at + 2, count };
}

function truncated(offset: number, what: string): DataStreamFault {
  return fault(offset, { programCheck: programChecks.missingParameter, reason: `${what} is truncated` });
}

function fault(offset: number, found: WriteFault): DataStreamFault {
  return { sense: 'operationCheck', ...found, offset };
}
