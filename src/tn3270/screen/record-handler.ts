import { aids } from '../datastream/aid.js';
import type { DataStreamHandler, ReadCommand, ReplyMode } from '../datastream/data-stream-handler.js';
import { type DeviceDescription, encodeQueryReplies } from '../datastream/query-reply.js';
import { dataOfRecord, refusedRecord } from '../file-transfer/terminal-transfer.js';
import { HostWriter } from './host-writer.js';
import { type EncodedRecord, readByCommand } from './inbound-records.js';
import type { ScreenState } from './screen-state.js';

export class RecordHandler extends HostWriter implements DataStreamHandler {
  readonly #state: ScreenState;
  readonly #answer: (record: EncodedRecord) => void;

  constructor(state: ScreenState, answer: (record: EncodedRecord) => void) {
    super(state);
    this.#state = state;
    this.#answer = answer;
  }

  read(command: ReadCommand): void {
    const { aid, transfer } = this.#state;
    const standing = command === 'readModified' && aid === aids.structuredField ? transfer?.standing : undefined;
    if (standing === undefined) this.#read(command, aid);
    else this.#answerTransfer(standing);
  }

  readPartition(command: ReadCommand): void {
    this.#read(command, aids.readPartition);
  }

  #read(command: ReadCommand, aid: number): void {
    // sending a position takes longer than filling it
    this.budget.sweep(3 * this.positions);
    this.#answer(readByCommand(this.#state, command, aid));
  }

  query(codes: Uint8Array | 'all'): void {
    this.#answer({ bytes: encodeQueryReplies(this.#device(), codes), nonDisplayable: [] });
    const { model, operator } = this.#state;
    if (model.locksWhenQueried !== true) return;
    operator.queried = true;
    operator.awaitsFirstWrite = false;
  }

  eraseReset(alternate: boolean): void {
    this.#state.operator.queried = false;
    this.erase(alternate);
  }

  setReplyMode(mode: ReplyMode, attributes: Uint8Array): void {
    this.#state.replyMode = mode;
    this.#state.replyAttributes = attributes;
  }

  /** Partition 0 always exists; creating it again only resets the cursor. */
  createPartition(): void {
    this.#state.space.cursor = 0;
  }

  fileTransfer(body: Uint8Array): void {
    const { transfer } = this.#state;
    const record = transfer === undefined ? refusedRecord(body) : transfer.structuredField(body);
    if (record === undefined) return;
    this.#state.aid = aids.structuredField;
    if (transfer?.end !== undefined) this.#state.operator.transferring = false;
    this.#answerTransfer(record);
  }

  #answerTransfer(record: Uint8Array): void {
    this.#answer({ bytes: record, nonDisplayable: dataOfRecord(record) });
  }

  #device(): DeviceDescription {
    const { space, model, codePage, transferBufferBytes } = this.#state;
    return {
      rows: space.alternateSize.rows,
      columns: space.alternateSize.columns,
      defaultRows: space.defaultSize.rows,
      defaultColumns: space.defaultSize.columns,
      color: model.color,
      codePage: codePage.number,
      transferBufferBytes,
      tellsAbsentColours: model.tellsAbsentColours,
      rpqNames: model.rpqNames?.(),
    };
  }
}
