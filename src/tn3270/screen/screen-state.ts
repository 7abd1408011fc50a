import type { CodePage } from '../codepage/code-page.js';
import { aids } from '../datastream/aid.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import type { ProgramCheck, ReplyMode } from '../datastream/data-stream-handler.js';
import type { TerminalTransfer } from '../file-transfer/terminal-transfer.js';
import type { OperatorError } from '../keyboard/operator-errors.js';
import { HostChanges } from './host-changes.js';
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

/** Whether, and why, the keyboard takes nothing. */
class OperatorInformation {
  #sent = false;
  #isSystemLocked = false;
  /** The host has asked what the terminal can do, and will write next: keys are typed ahead until it does. */
  queried = false;
  /** A host that was met, or is unbound, has to write first: keys are typed ahead until it does. */
  awaitsFirstWrite = false;
  /** Contention resolution: the application has not said SEND-DATA, or has sent a BID since. Keys are typed ahead until it does. */
  hostHasTurn = false;
  /** The services of a host take text regardless of the application's turn. */
  isWithServices = false;
  operatorError: OperatorError | undefined;
  /** X PROG: what was wrong with a record of the host. It stays, whatever the host writes, until Reset. */
  programCheck: ProgramCheck | undefined;
  /** How many there were. */
  programCheckCount = 0;
  /** There is no host to type for. */
  noPartner = true;
  insertMode = false;
  /** What insert mode is where it ends. */
  alwaysInserts = false;
  /** A file is on its way: the screen is the transfer's. */
  transferring = false;

  /** A key went to the host, and the host has not restored the keyboard. */
  get waitingForHost(): boolean {
    return this.#sent || this.queried || this.awaitsFirstWrite || this.#isHostsTurn;
  }

  set waitingForHost(waits: boolean) {
    this.#sent = waits;
    this.#isSystemLocked = false;
    if (!waits) this.queried = false;
  }

  /** Why the host has the keyboard: a key went to the host, the host wrote since, the host only asked, or the host has the turn. */
  get hostLock(): 'time' | 'system' | 'query' | 'bid' | undefined {
    if (this.#isSystemLocked) return 'system';
    if (this.#sent) return 'time';
    if (this.queried) return 'query';
    return this.#isHostsTurn ? 'bid' : undefined;
  }

  get #isHostsTurn(): boolean {
    return this.hostHasTurn && !this.isWithServices;
  }

  /** The host has written, and not restored the keyboard. */
  keepLocked(): void {
    this.#isSystemLocked = this.#sent;
  }

  get keyboardLocked(): boolean {
    const { noPartner, waitingForHost, transferring, operatorError, programCheck } = this;
    return noPartner || waitingForHost || transferring || operatorError !== undefined || programCheck !== undefined;
  }

  /** A record could not be carried out; it is unknown whether another answer will follow. */
  checkProgram(check: ProgramCheck): void {
    this.programCheck = check;
    this.programCheckCount++;
    this.waitingForHost = false;
  }

  /** The keyboard as the host's restore leaves it. */
  unlock(): void {
    this.waitingForHost = false;
    this.operatorError = undefined;
    this.endInsertMode();
  }

  endInsertMode(): void {
    this.insertMode = this.alwaysInserts;
  }
}
