import type { CodePage } from '../codepage/code-page.js';
import { aids } from '../datastream/aid.js';
import type { DataStreamFault, ProgramCheck } from '../datastream/data-stream-handler.js';
import { decodeOutboundRecord } from '../datastream/decoder.js';
import { displays, fieldAttributeBits, isAutoSkip, isDetectable } from '../datastream/field-attribute.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import { CUT_MARK, CUT_POSITIONS, REQUEST_ATTRIBUTE, readCutFrame } from '../file-transfer/cut-frame.js';
import type { TerminalTransfer } from '../file-transfer/terminal-transfer.js';
import { enterAtPosition, enterForm, type Form, type FormRefusal, type PositionEntry } from './form-entry.js';
import { type EncodedRecord, readModified } from './inbound-records.js';
import type { LineCommand } from './nvt-line-editor.js';
import { NvtTerminal } from './nvt-terminal.js';
import { type Operation, operate } from './operation.js';
import type { PresentationSpace } from './presentation-space.js';
import { RecordHandler } from './record-handler.js';
import { rememberScreen } from './screen-backup.js';
import type { EntryRules } from './screen-entry.js';
import { type ScreenImage, takeScreenImage } from './screen-image.js';
import { DEFAULT_SIZE, type ScreenSize, type TerminalModel } from './screen-size.js';
import { ScreenState } from './screen-state.js';
import { ScreenKeyboard, type ScreenPartner } from './screen-terminal.js';
import { readSscpInput, startSscpAnswer, writeSscpData } from './sscp-writer.js';

const designators = { greater: 0x6e, question: 0x6f, ampersand: 0x50 } as const;

/** Light pen at the cursor (GA23-0059, "Selector pen operations"). Returns the notification for the host, if any. */
function selectByPen({ space }: ScreenState): 'Enter' | 'pen' | undefined {
  const field = space.fieldOf(space.cursor);
  if (field === undefined || !isDetectable(space.attributeOf(field))) return undefined;
  const at = space.next(field);
  switch (space.planes.codes[at]) {
    case designators.greater:
      space.planes.setCharacter(at, designators.question);
      space.setModified(field, false);
      return undefined;
    case designators.question:
      space.planes.setCharacter(at, designators.greater);
      space.setModified(field, true);
      return undefined;
    case designators.ampersand:
      space.setModified(field, true);
      return 'Enter';
    case SPACE:
    case formatControls.null:
      space.setModified(field, true);
      return 'pen';
    default:
      return undefined;
  }
}

/** Screens with a cached image. Listeners read it in the event loop turn of the change, a few sessions at a time. */
const PICTURES_KEPT = 4;

/**
 * An image is larger than its screen. A `WeakRef` would keep each image until a full garbage collection, which
 * thousands of images a second would cause.
 */
class LatestImage {
  static readonly #kept: (LatestImage | undefined)[] = new Array(PICTURES_KEPT).fill(undefined);
  static #next = 0;

  #image: ScreenImage | undefined;

  get image(): ScreenImage | undefined {
    return this.#image;
  }

  keep(image: ScreenImage): void {
    if (this.#image === undefined) {
      const kept = LatestImage.#kept;
      const oldest = kept[LatestImage.#next];
      if (oldest !== undefined) oldest.#image = undefined;
      kept[LatestImage.#next] = this;
      LatestImage.#next = (LatestImage.#next + 1) % kept.length;
    }
    this.#image = image;
  }
}

interface RecordSender {
  sendRecord(record: EncodedRecord): void;
  sendServicesText(bytes: Uint8Array): void;
  sendLineData(bytes: Uint8Array): void;
  sendLineCommand(command: LineCommand): void;
}

/** A 3270 display: host writes, answers and the keyboard. Synchronous, without socket or clock. */
export class Screen {
  readonly state: ScreenState;
  readonly keyboard: ScreenKeyboard;
  readonly #port: RecordSender;
  readonly #rules: EntryRules;
  readonly #handler: RecordHandler;
  #madeLine: NvtTerminal | undefined;
  #partner: ScreenPartner = 'none';
  #records = 0;
  readonly #latest = new LatestImage();

  constructor(model: TerminalModel, codePage: CodePage, rules: EntryRules, port: RecordSender) {
    this.state = new ScreenState(model, codePage);
    this.#port = port;
    this.#rules = rules;
    this.#handler = new RecordHandler(this.state, (record) => port.sendRecord(record));
    this.keyboard = new ScreenKeyboard(this.state, rules, {
      attention: (aid) => this.#attention(aid),
      lineText: (text) => this.#line.type(text),
      lineCursor: (address) => this.#line.moveCursor(address),
      lineKey: (key) => this.#line.press(key),
      lineChanged: () => this.state.revision++,
    });
  }

  get #line(): NvtTerminal {
    this.#madeLine ??= new NvtTerminal(this.state, {
      send: (bytes) => this.#port.sendLineData(bytes),
      sendCommand: (command) => this.#port.sendLineCommand(command),
    });
    return this.#madeLine;
  }

  get partner(): ScreenPartner {
    return this.#partner;
  }

  get records(): number {
    return this.#records;
  }

  get image(): ScreenImage {
    const latest = this.#latest.image;
    if (latest?.revision === this.state.revision) return latest;
    const image = takeScreenImage(this.state);
    this.#latest.keep(image);
    return image;
  }

  /** Clears the screen and sets the alternate size. */
  setPartner(partner: ScreenPartner): void {
    const before = this.#partner;
    if (partner === before) return;
    this.#partner = partner;
    const { operator, model } = this.state;
    const isMet = partner === 'application' && (before === 'none' || before === 'unbound');
    operator.unlock();
    operator.awaitsFirstWrite = model.awaitsFirstWrite === true && (isMet || partner === 'unbound');
    operator.isWithServices = partner === 'services';
    if (partner !== 'application' && partner !== 'services') operator.hostHasTurn = false;
    if (partner === 'none') operator.insertMode = false;
    operator.programCheck = undefined;
    operator.noPartner = partner === 'none';
    this.keyboard.partner = partner;
    if (partner === 'line' || before === 'line') this.#line.begin();
    this.#clear();
    this.keyboard.forgetTypedAhead();
    this.state.revision++;
  }

  /**
   * Undoes an invalid record and reports it to the operator, unless it was processed to its end.
   * @param restores true to unlock the keyboard whatever the write control character says (KEYBOARD-RESTORE)
   */
  receive(record: Uint8Array, restores = false): DataStreamFault | undefined {
    const { state } = this;
    this.#records++;
    const before = rememberScreen(state);
    const writes = state.hostWrites;
    const { formatted } = state.space;
    this.#handler.beginRecord();
    const fault = decodeOutboundRecord(record, this.#handler);
    if (fault !== undefined && fault.drawn !== true) {
      before.restore();
      this.checkProgram(fault.programCheck);
    } else {
      if (this.#handler.hasErased || state.space.formatted !== formatted) state.noteErased();
      else if (state.hostWrites !== writes) state.noteWritten(before.planes);
      if (restores) this.#handler.restoreKeyboard();
      answerFrame(state, (aid) => this.#attention(aid));
    }
    state.revision++;
    if (!state.operator.keyboardLocked) this.keyboard.playTypedAhead();
    return fault;
  }

  checkProgram(check: ProgramCheck): void {
    this.state.operator.checkProgram(check);
    this.keyboard.forgetTypedAhead();
    this.state.revision++;
  }

  set transfer(transfer: TerminalTransfer | undefined) {
    const { state } = this;
    state.transfer = transfer;
    state.operator.transferring = transfer !== undefined;
    state.revision++;
    if (!state.operator.keyboardLocked) this.keyboard.playTypedAhead();
  }

  receiveServicesText(bytes: Uint8Array): void {
    this.state.hostWrites++;
    this.state.noteErased();
    writeSscpData(this.state, bytes);
    this.#handler.restoreKeyboard();
    this.state.revision++;
  }

  /** @param raw true for NVT-DATA of TN3270E: rows end with CR LF, whichever side echoes */
  receiveLineData(bytes: Uint8Array, raw = false): void {
    this.state.hostWrites++;
    this.#line.receive(bytes, raw);
    this.state.revision++;
  }

  set wrapsLines(on: boolean) {
    if (this.#partner === 'line') this.#line.wrapsLines = on;
  }

  get hostEchoes(): boolean {
    return this.#madeLine?.hostEchoes ?? false;
  }

  set hostEchoes(echoes: boolean) {
    if (echoes !== this.hostEchoes) this.#line.hostEchoes = echoes;
  }

  /** Replaceable. Decides if a size in a BIND is accepted; by default, if the buffer can hold it. */
  takesSize = (size: ScreenSize, _use: 'default' | 'alternate'): boolean => this.state.space.holds(size);

  /** Applies the sizes of a BIND, or neither if one of them is not accepted. */
  bind(sizes: { readonly default: ScreenSize; readonly alternate: ScreenSize | undefined } | undefined): void {
    const { space, model } = this.state;
    const alternate = sizes?.alternate ?? model.alternateSize;
    const fallback = sizes?.default ?? DEFAULT_SIZE;
    if (!this.takesSize(fallback, 'default') || !this.takesSize(alternate, 'alternate')) return;
    space.defaultSize = fallback;
    space.alternateSize = alternate;
    this.#clear();
    this.state.revision++;
  }

  enterForm(form: Form): FormRefusal | undefined {
    return enterForm(this.state, form, this.#rules);
  }

  enterAt(entry: PositionEntry): FormRefusal['reason'] | undefined {
    return enterAtPosition(this.state, entry, this.#rules);
  }

  /** All or nothing: returns the first error. Not for line mode, in which each key is sent immediately. */
  operate(operation: Operation): FormRefusal | undefined {
    const { state, partner } = this;
    return operate({ state, rules: this.#rules, partner, send: (aid) => this.#attention(aid) }, operation);
  }

  select(): void {
    const { state } = this;
    if (this.#partner !== 'application' || state.operator.keyboardLocked) return;
    const told = selectByPen(state);
    state.revision++;
    if (told === 'Enter') {
      this.keyboard.press('Enter');
    } else if (told === 'pen') {
      state.lockFor(aids.cursorSelect);
      this.#attention(aids.cursorSelect);
    }
  }

  /** SYS REQ on a connection without a separate command: sends a test request to the host. */
  pressSystemRequest(): void {
    const { state } = this;
    if (this.#partner !== 'application' || state.operator.keyboardLocked) return;
    state.lockFor(aids.systemRequest);
    this.#port.sendRecord(readModified(state, aids.systemRequest, false));
  }

  unbind(): void {
    const { space, model } = this.state;
    space.defaultSize = DEFAULT_SIZE;
    space.alternateSize = model.alternateSize;
    this.#clear();
    this.state.replyMode = 'field';
    this.state.revision++;
  }

  #clear(): void {
    this.#handler.erase(true);
    this.state.noteErased();
    this.state.sscpStart = 0;
    this.state.aid = aids.none;
  }

  #attention(aid: number): void {
    if (this.#partner === 'services') {
      const typed = readSscpInput(this.state);
      if (this.state.model.servicesAnswerInPlace !== true) startSscpAnswer(this.state);
      this.#port.sendServicesText(typed);
    } else this.#port.sendRecord(readModified(this.state, aid, false));
  }
}

/** Passes a complete frame to the file transfer and sends its answer. A complete frame unlocks the keyboard. */
function answerFrame(state: ScreenState, send: (aid: number) => void): void {
  const { space, operator, transfer } = state;
  const { planes } = space;
  if (transfer === undefined || operator.waitingForHost || space.positions < CUT_POSITIONS) return;
  if (!isAutoSkip(planes.fieldAttributes[CUT_MARK] as number)) return;
  const codes = planes.codes.slice(0, CUT_POSITIONS);
  if (space.positions > CUT_POSITIONS && !isFrameOfLargerScreen(space, codes)) return;
  const answer = transfer.frame(codes);
  if (answer === undefined) return;
  const { write, hides, key } = answer;
  if (write !== undefined) for (const [at, code] of write.codes.entries()) planes.setCharacter(write.at + at, code);
  if (hides !== undefined && planes.fieldAttributes[hides] !== 0) {
    const shown = (planes.fieldAttributes[hides] as number) & ~fieldAttributeBits.display;
    planes.fieldAttributes[hides] = shown | displays.nonDisplayable;
  }
  operator.waitingForHost = true;
  if (transfer.end !== undefined) operator.transferring = false;
  state.aid = aids[key];
  send(state.aid);
}

/**
 * The mark is not sufficient, because an application may start a field there: no field may start after it, and the
 * content must be a valid frame.
 */
function isFrameOfLargerScreen({ planes, positions }: PresentationSpace, codes: Uint8Array): boolean {
  const { fieldAttributes } = planes;
  if (fieldAttributes.subarray(CUT_MARK + 1, positions).some((attribute) => attribute !== 0)) return false;
  const frame = readCutFrame(codes);
  if (frame.kind === 'fault') return false;
  return frame.value.kind !== 'dataRequest' || fieldAttributes[REQUEST_ATTRIBUTE] !== 0;
}
