import type { CodePage } from '../codepage/code-page.js';
import { aids } from '../datastream/aid.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import type { ReplyMode } from '../datastream/data-stream-handler.js';
import type { TerminalTransfer } from '../file-transfer/terminal-transfer.js';
import { HostChanges } from './host-changes.js';
import { OperatorInformation } from './operator-information.js';
import type { Planes } from './planes.js';
import { PresentationSpace } from './presentation-space.js';
import { DEFAULT_SIZE, type TerminalModel } from './screen-size.js';

/** The state of a terminal, shared by the code that writes to it, reads it and types on it. */
export class ScreenState {
  readonly model: TerminalModel;
  /** Another one with a connection has double-byte characters if this one has. */
  codePage: CodePage;
  readonly space: PresentationSpace;
  readonly operator = new OperatorInformation();
  replyMode: ReplyMode = 'field';
  /** The attribute types that character mode tells. */
  replyAttributes: Uint8Array = NO_ATTRIBUTES;
  /** The key that a read by the host finds pressed. */
  aid: number = aids.none;
  /** The file that is on its way. */
  transfer: TerminalTransfer | undefined;
  /** Bytes of a record of a file transfer, as hosts are told; 0: the terminal has none but by screens (CUT). */
  transferBufferBytes = 16_384;
  /** Where what the operator types for the host's services begins. */
  sscpStart: BufferAddress = 0;
  /** Code points of a line terminal's text, 0 if there is none; undefined outside of that mode. */
  lineCharacters: Uint32Array | undefined;
  /** Counts the alarms that the host sounded. */
  alarms = 0;
  /** Counts what the host has written: records that write, line data, and text of its services. */
  hostWrites = 0;
  /** Rises with every change that can be seen. */
  revision = 0;
  readonly hostChanges = new HostChanges();

  constructor(model: TerminalModel, codePage: CodePage) {
    this.model = model;
    this.codePage = codePage;
    this.space = new PresentationSpace(DEFAULT_SIZE, model.alternateSize, this.doubleByte);
  }

  get doubleByte(): boolean {
    return this.codePage.doubleByte !== undefined;
  }

  /** The next revision shows a screen that was erased or replaced. */
  noteErased(): void {
    this.hostChanges.erased(this.revision + 1);
  }

  /** The next revision shows what the host has written. @param before the screen before it */
  noteWritten(before: Planes): void {
    const { planes, positions } = this.space;
    this.hostChanges.written(before, planes, positions, this.revision + 1);
  }
}

const NO_ATTRIBUTES = new Uint8Array(0);
