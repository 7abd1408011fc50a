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

export class ScreenState {
  readonly model: TerminalModel;
  /** While connected, only a page with the same support for double-byte characters may replace it. */
  codePage: CodePage;
  readonly space: PresentationSpace;
  readonly operator = new OperatorInformation();
  replyMode: ReplyMode = 'field';
  replyAttributes: Uint8Array = NO_ATTRIBUTES;
  aid: number = aids.none;
  transfer: TerminalTransfer | undefined;
  /** Maximum record size of a file transfer in bytes, as reported to hosts; 0 for transfers by screens only (CUT). */
  transferBufferBytes = 16_384;
  /** Start of the operator's input for the host's services. */
  sscpStart: BufferAddress = 0;
  /** Code points of a line terminal's text, 0 if empty; undefined in other modes. */
  lineCharacters: Uint32Array | undefined;
  alarms = 0;
  hostWrites = 0;
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

  /** Call before an attention identifier is sent. */
  lockFor(aid: number): void {
    this.operator.endInsertMode();
    this.operator.waitingForHost = true;
    this.aid = aid;
  }

  /** Call before `revision` is increased. */
  noteErased(): void {
    this.hostChanges.erased(this.revision + 1);
  }

  /** Call before `revision` is increased. */
  noteWritten(before: Planes): void {
    const { planes, positions } = this.space;
    this.hostChanges.written(before, planes, positions, this.revision + 1);
  }
}

const NO_ATTRIBUTES = new Uint8Array(0);

class OperatorInformation {
  #sent = false;
  #isSystemLocked = false;
  /** The host sent a query and will write next; until then, keys are typed ahead. */
  queried = false;
  /** The connected or unbound host must write first; until then, keys are typed ahead. */
  awaitsFirstWrite = false;
  /** Contention resolution: the application has not sent SEND-DATA, or has sent a BID since. Keys are typed ahead. */
  hostHasTurn = false;
  /** The host's services accept text even if the application has the turn. */
  isWithServices = false;
  operatorError: OperatorError | undefined;
  /** X PROG: error in a record of the host, displayed until Reset, whatever the host writes. */
  programCheck: ProgramCheck | undefined;
  programCheckCount = 0;
  noPartner = true;
  insertMode = false;
  alwaysInserts = false;
  transferring = false;

  get waitingForHost(): boolean {
    return this.#sent || this.queried || this.awaitsFirstWrite || this.#isHostsTurn;
  }

  set waitingForHost(waits: boolean) {
    this.#sent = waits;
    this.#isSystemLocked = false;
    if (!waits) this.queried = false;
  }

  /**
   * `time`: an attention key was sent; `system`: the host has written since without unlocking; `query`: the host sent
   * only a query; `bid`: the host has the turn.
   */
  get hostLock(): 'time' | 'system' | 'query' | 'bid' | undefined {
    if (this.#isSystemLocked) return 'system';
    if (this.#sent) return 'time';
    if (this.queried) return 'query';
    return this.#isHostsTurn ? 'bid' : undefined;
  }

  get #isHostsTurn(): boolean {
    return this.hostHasTurn && !this.isWithServices;
  }

  keepLocked(): void {
    this.#isSystemLocked = this.#sent;
  }

  get keyboardLocked(): boolean {
    const { noPartner, waitingForHost, transferring, operatorError, programCheck } = this;
    return noPartner || waitingForHost || transferring || operatorError !== undefined || programCheck !== undefined;
  }

  /** Unlocks the wait for the host, because another answer may never arrive. */
  checkProgram(check: ProgramCheck): void {
    this.programCheck = check;
    this.programCheckCount++;
    this.waitingForHost = false;
  }

  unlock(): void {
    this.waitingForHost = false;
    this.operatorError = undefined;
    this.endInsertMode();
  }

  endInsertMode(): void {
    this.insertMode = this.alwaysInserts;
  }
}
