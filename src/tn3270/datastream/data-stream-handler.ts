import type { AddressMode, BufferAddress } from './buffer-address.js';
import type { Command } from './commands.js';

/** Numbers displayed after X PROG if a record is not valid, as on IBM's terminals and emulators. */
export const programChecks = {
  command: 750,
  address: 752,
  /** Order exceeding a limit. */
  order: 753,
  missingParameter: 754,
  /** Code that is not a character of this terminal. */
  characterCode: 755,
  structuredField: 756,
  replyMode: 758,
  structuredFieldLength: 759,
  partition: 761,
  /** Unpaired shift-out or shift-in. */
  shifts: 797,
  /** Code or order not allowed among double-byte characters. */
  amongDoubleBytes: 798,
  /** Half of a double-byte character, or an invalid one. */
  doubleByteCharacter: 799,
} as const;

export type ProgramCheck = (typeof programChecks)[keyof typeof programChecks];

export type WriteCommand = Extract<Command, 'write' | 'eraseWrite' | 'eraseWriteAlternate'>;
export type ReadCommand = Extract<Command, 'readBuffer' | 'readModified' | 'readModifiedAll'>;
export type ReplyMode = 'field' | 'extendedField' | 'character';

/**
 * Error in a record (RFC 2355, section 10.4.1). `commandReject`: the command or structured field is unknown, malformed
 * or not supported. `operationCheck`: an order or its data is not valid.
 */
export interface DataStreamFault {
  readonly sense: 'commandReject' | 'operationCheck';
  readonly programCheck: ProgramCheck;
  readonly reason: string;
  readonly offset: number;
  /** True if the whole record was processed; the screen may keep its content. */
  readonly drawn?: boolean;
}

/** `count` pairs of type and value in the record, from `start`. All are within the record. */
export interface AttributePairs {
  readonly record: Uint8Array;
  readonly start: number;
  readonly count: number;
}

export type WriteFault = Pick<DataStreamFault, 'programCheck' | 'reason'>;

export interface WriteHandler {
  readonly addressMode: AddressMode;
  /** Size of the presentation space after `beginWrite`; the decoder checks addresses against it. */
  readonly positions: number;

  beginWrite(command: WriteCommand, writeControl: number): void;
  setBufferAddress(address: BufferAddress): void;
  insertCursor(): void;
  programTab(): WriteFault | undefined;
  /** True if Repeat to Address at the current address is followed by a double-byte character. */
  takesDoubleByte(): boolean;
  repeatToAddress(
    stop: BufferAddress,
    code: number,
    second: number | undefined,
    graphicEscape: boolean,
  ): WriteFault | undefined;
  eraseUnprotectedToAddress(stop: BufferAddress): WriteFault | undefined;
  startField(attribute: number): void;
  startFieldExtended(pairs: AttributePairs): void;
  modifyField(pairs: AttributePairs): void;
  setAttribute(type: number, value: number): void;
  graphicEscape(code: number): WriteFault | undefined;
  text(record: Uint8Array, start: number, end: number): WriteFault | undefined;
  endWrite(): WriteFault | undefined;
}

/** Receives structured fields. The device has only partition 0. */
interface StructuredFieldHandler {
  /** True if the record has used up the work allowed for one record. */
  readonly isExhausted: boolean;
  eraseReset(alternate: boolean): void;
  setReplyMode(mode: ReplyMode, attributes: Uint8Array): void;
  query(codes: Uint8Array | 'all'): void;
  /** A read by Read Partition; the reply has the attention identifier of Read Partition. */
  readPartition(command: ReadCommand): void;
  createPartition(): void;
  /** IND$FILE. `body` omits the identifier of the field. */
  fileTransfer(body: Uint8Array): void;
}

export interface DataStreamHandler extends WriteHandler, StructuredFieldHandler {
  eraseAllUnprotected(): void;
  read(command: ReadCommand): void;
}
