import { findCommand } from './commands.js';
import type { DataStreamFault, DataStreamHandler, ReadCommand, ReplyMode } from './data-stream-handler.js';
import { type ProgramCheck, programChecks } from './program-checks.js';
import { queryListRequests, readOperations, replyModes, structuredFields } from './structured-fields.js';
import { decodeWrite } from './write-decoder.js';

/** The partition of a query: it goes to the device, not to a partition. */
const NO_PARTITION = 0xff;
const ONLY_PARTITION = 0x00;
const SHORTEST_FIELD = 3;
/** Where each is a small one; the handler says when large ones have asked for enough. */
const MOST_STRUCTURED_FIELDS = 256;

/** One structured field: `record` from `start` (its length) up to `end`. `body` is what follows the identifier. */
interface Field {
  readonly record: Uint8Array;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

type FieldDecoder = (field: Field, handler: DataStreamHandler) => DataStreamFault | undefined;

/**
 * Carries out Write Structured Field: after the command, fields of two bytes of length (0: up to the end of the record),
 * one or two bytes of identifier, and what the field says. A field that is wrong does not keep the others away; the
 * fault of the last wrong one is returned. A wrong length ends the record, as nothing after it can be found.
 */
export function decodeStructuredFields(record: Uint8Array, start: number, end: number, handler: DataStreamHandler) {
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
  // Data Chain only groups records; each is carried out as it comes.
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

/** One byte of flags: bit 0 chooses the alternate size, the others are zero. */
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

/** Partition, mode, then the attribute types that the character mode tells. */
function decodeSetReplyMode(field: Field, handler: DataStreamHandler): DataStreamFault | undefined {
  const { record, start, body, end } = field;
  if (end - body < 2) return cutShort(field);
  if (record[body] !== ONLY_PARTITION) return otherPartition(field);
  const mode = modeOfCode[record[body + 1] as number];
  if (mode === undefined) return reject(start, `reply mode ${record[body + 1]} is not known`, programChecks.replyMode);
  handler.setReplyMode(mode, record.slice(body + 2, end));
  return undefined;
}

/** Partition, operation; for Query List also the request type and the codes asked for. */
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

/** Partition, then a write command as it would stand at the start of a record. */
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
      return reject(start, 'Outbound 3270DS carries no write command', programChecks.command);
  }
}

function cutShort({ start }: Field): DataStreamFault {
  return reject(start, 'the structured field is cut short', programChecks.structuredFieldLength);
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
