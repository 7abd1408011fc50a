import type { AddressMode, BufferAddress } from './buffer-address.js';
import type { Command } from './commands.js';

/**
 * The numbers that a terminal shows behind X PROG where a record of the host cannot be carried out, as IBM's terminals and
 * emulators give them.
 */
export const programChecks = {
  /** No command, or none that this device takes. */
  command: 750,
  /** An address that the presentation space does not have. */
  address: 752,
  /** An order that asks for more than it may. */
  order: 753,
  /** An order that is cut short. */
  missingParameter: 754,
  /** A code that no character of this terminal has. */
  characterCode: 755,
  structuredField: 756,
  replyMode: 758,
  structuredFieldLength: 759,
  partition: 761,
  /** Shift-out and shift-in that are no pair. */
  shifts: 797,
  /** What has no place among double-byte characters. */
  amongDoubleBytes: 798,
  /** Half a double-byte character, or one that is none. */
  doubleByteCharacter: 799,
} as const;

export type ProgramCheck = (typeof programChecks)[keyof typeof programChecks];

export type WriteCommand = Extract<Command, 'write' | 'eraseWrite' | 'eraseWriteAlternate'>;
export type ReadCommand = Extract<Command, 'readBuffer' | 'readModified' | 'readModifiedAll'>;
export type ReplyMode = 'field' | 'extendedField' | 'character';

/**
 * Why a record, or what is left of it, cannot be carried out. `commandReject`: it is no command, or not one that this device
 * takes; `operationCheck`: the command is known and what follows is wrong (RFC 2355, section 10.4.1).
 */
export interface DataStreamFault {
  readonly sense: 'commandReject' | 'operationCheck';
  /** What the operator is shown. */
  readonly programCheck: ProgramCheck;
  readonly reason: string;
  /** Index in the record. */
  readonly offset: number;
  /** The record was carried out to its end all the same, and what it drew may stay. */
  readonly drawn?: boolean;
}

/** Attribute pairs as they stand in a record: `count` times type and value, from `start`. All inside of the record. */
export interface AttributePairs {
  readonly record: Uint8Array;
  readonly start: number;
  readonly count: number;
}

/** Why a write cannot go on. */
export type WriteFault = Pick<DataStreamFault, 'programCheck' | 'reason'>;

/** What a write does, order by order. Addresses are inside of the presentation space. */
export interface WriteHandler {
  readonly addressMode: AddressMode;
  /** The size of the presentation space once `beginWrite` has returned; addresses are checked against it. */
  readonly positions: number;

  beginWrite(command: WriteCommand, writeControl: number): void;
  setBufferAddress(address: BufferAddress): void;
  insertCursor(): void;
  programTab(): WriteFault | undefined;
  /** Whether a character at the current address has two bytes, as Repeat to Address must know. */
  takesDoubleByte(): boolean;
  /** @param second the second byte of a double-byte character, or undefined */
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
  /** Characters and format controls of the record from `start` up to `end`. */
  text(record: Uint8Array, start: number, end: number): WriteFault | undefined;
  /** The write is done. */
  endWrite(): WriteFault | undefined;
}

/** What structured fields ask. `partition` 0 is the one partition of this device. */
interface StructuredFieldHandler {
  /** Whether what the record has asked for so far takes as long as one record may. */
  readonly isExhausted: boolean;
  eraseReset(alternate: boolean): void;
  setReplyMode(mode: ReplyMode, attributes: Uint8Array): void;
  /** @param codes the replies asked for, or `all` */
  query(codes: Uint8Array | 'all'): void;
  /** Read Partition with a read operation: answered under the attention identifier of Read Partition. */
  readPartition(command: ReadCommand): void;
  /** Create Partition for partition 0, which is there already. */
  createPartition(): void;
  /** IND$FILE. @param body what stands behind the identifier */
  fileTransfer(body: Uint8Array): void;
}

export interface DataStreamHandler extends WriteHandler, StructuredFieldHandler {
  eraseAllUnprotected(): void;
  read(command: ReadCommand): void;
}
