import { commandCodes } from './commands.js';
import type { ReplyMode } from './data-stream-handler.js';
import { queryListRequests, readOperations, replyModes, structuredFields } from './structured-fields.js';

const NO_PARTITION = 0xff;
const ONLY_PARTITION = 0x00;

/** One structured field: two bytes of length, the identifier, and what it says (GA23-0059, chapter 5). */
function encodeStructuredField(identifier: number, body: ArrayLike<number>): Uint8Array {
  const field = new Uint8Array(body.length + 3);
  field.set([(field.length >> 8) & 0xff, field.length & 0xff, identifier]);
  field.set(body, 3);
  return field;
}

/** The record of a Write Structured Field. */
export function encodeWriteStructuredField(...fields: readonly Uint8Array[]): Uint8Array {
  const record = new Uint8Array(1 + fields.reduce((sum, { length }) => sum + length, 0));
  record[0] = commandCodes.writeStructuredField.sna ?? 0;
  let at = 1;
  for (const field of fields) {
    record.set(field, at);
    at += field.length;
  }
  return record;
}

export const readPartitionQuery = (): Uint8Array =>
  encodeStructuredField(structuredFields.readPartition, [NO_PARTITION, readOperations.query]);

/** @param codes of the replies that are wanted */
export const readPartitionQueryList = (codes: readonly number[]): Uint8Array =>
  encodeStructuredField(structuredFields.readPartition, [
    NO_PARTITION,
    readOperations.queryList,
    queryListRequests.list,
    ...codes,
  ]);

/** @param attributes the types that character mode tells */
export const setReplyMode = (mode: ReplyMode, attributes: readonly number[] = []): Uint8Array =>
  encodeStructuredField(structuredFields.setReplyMode, [ONLY_PARTITION, replyModes[mode], ...attributes]);

export const eraseReset = (alternate: boolean): Uint8Array =>
  encodeStructuredField(structuredFields.eraseReset, [alternate ? 0x80 : 0x00]);

/** @param body what stands behind the identifier */
export const fileTransferData = (body: Uint8Array): Uint8Array =>
  encodeStructuredField(structuredFields.fileTransfer, body);

/** @param write a write command as it would stand at the start of a record */
export const outbound3270DataStream = (write: Uint8Array): Uint8Array =>
  encodeStructuredField(structuredFields.outbound3270DataStream, [ONLY_PARTITION, ...write]);
