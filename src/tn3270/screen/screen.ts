import type { CodePage } from '../codepage/code-page.js';
import { aids } from '../datastream/aid.js';
import type { DataStreamFault, ProgramCheck } from '../datastream/data-stream-handler.js';
import { decodeOutboundRecord } from '../datastream/decoder.js';
import { displays, fieldAttributeBits, isAutoSkip, isDetectable } from '../datastream/field-attribute.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import { CUT_MARK, CUT_POSITIONS, REQUEST_ATTRIBUTE, readCutFrame } from '../file-transfer/cut-frame.js';
import type { TerminalTransfer } from '../file-transfer/terminal-transfer.js';
import { enterAtPosition, enterForm, type Form, type FormRefusal, type PositionEntry } from './form-entry.js';
import { type InboundRecord, readModified } from './inbound-records.js';
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

/** The first character of a field says what becomes of it. */
const designators = { greater: 0x6e, question: 0x6f, ampersand: 0x50 } as const;

/**
 * The light pen, or its key, on the field that the cursor is in (GA23-0059, "Selector pen operations"): the field is marked or
 * its mark is taken away, and an attention field tells the host.
 * @returns how the host is told; undefined: not at all
 */
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

/** Pictures that are kept, of all screens: those who are told of a change look within the same turn, a few sessions at a time. */
const PICTURES_KEPT = 4;

/**
 * The picture of a screen that was taken last, until those of enough other screens were. A picture is larger than its screen, and a
 * `WeakRef` would have each live until the next full collection, which thousands of pictures a second bring about.
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

/** What goes to the host. */
interface ScreenPort {
  /** 3270 data. */
  sendRecord(record: InboundRecord): void;
  /** Text for the host's services. */
  sendServicesText(bytes: Uint8Array): void;
  /** Characters of a line terminal. */
  sendLineData(bytes: Uint8Array): void;
  /** A command of TELNET to a line terminal's host. */
  sendLineCommand(command: LineCommand): void;
}

/** A 3270 display: what the host writes to it, what it answers, and its keyboard. Synchronous, without socket or clock. */
export class Screen {
  readonly state: ScreenState;
  readonly keyboard: ScreenKeyboard;
  readonly #port: ScreenPort;
  readonly #rules: EntryRules;
  readonly #handler: RecordHandler;
  #madeLine: NvtTerminal | undefined;
  #partner: ScreenPartner = 'none';
  #records = 0;
  readonly #latest = new LatestImage();

  constructor(model: TerminalModel, codePage: CodePage, rules: EntryRules, port: ScreenPort) {
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

  /** Made where a host wants it, as most never do. */
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

  /** How many records of 3270 data the host has sent, faulty ones among them. */
  get records(): number {
    return this.#records;
  }

  /** What is shown; for who asks again right away, the same object until something changes. */
  get image(): ScreenImage {
    const latest = this.#latest.image;
    if (latest?.revision === this.state.revision) return latest;
    const image = takeScreenImage(this.state);
    this.#latest.keep(image);
    return image;
  }

  /** A new partner finds a clear screen of the largest size. */
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
   * Carries out one record of 3270 data. What a record that is wrong has drawn is taken back, and the operator is told; unless it
   * was carried out to its end.
   * @param restores KEYBOARD-RESTORE: the record restores the keyboard even if its write control character does not
   * @returns what is wrong with it
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

  /** A record of the host cannot be carried out: nothing is typed, and nothing typed ahead is done, before Reset. */
  checkProgram(check: ProgramCheck): void {
    this.state.operator.checkProgram(check);
    this.keyboard.forgetTypedAhead();
    this.state.revision++;
  }

  /** A file goes between host and terminal, and the operator waits meanwhile; undefined: there is none. */
  set transfer(transfer: TerminalTransfer | undefined) {
    const { state } = this;
    state.transfer = transfer;
    state.operator.transferring = transfer !== undefined;
    state.revision++;
    if (!state.operator.keyboardLocked) this.keyboard.playTypedAhead();
  }

  receiveServicesText(bytes: Uint8Array): void {
    this.state.hostWrites++;
    // the place for what the operator types is another one now
    this.state.noteErased();
    writeSscpData(this.state, bytes);
    this.#handler.restoreKeyboard();
    this.state.revision++;
  }

  /** @param raw as TN3270E's NVT-DATA is: lines end with CR LF whoever echoes */
  receiveLineData(bytes: Uint8Array, raw = false): void {
    this.state.hostWrites++;
    this.#line.receive(bytes, raw);
    this.state.revision++;
  }

  /** Whether text of a line terminal goes on in the next line. */
  set wrapsLines(on: boolean) {
    if (this.#partner === 'line') this.#line.wrapsLines = on;
  }

  /** Whether a line terminal's host gets each key as it is pressed. */
  get hostEchoes(): boolean {
    return this.#madeLine?.hostEchoes ?? false;
  }

  set hostEchoes(echoes: boolean) {
    if (echoes !== this.hostEchoes) this.#line.hostEchoes = echoes;
  }

  /** Whether a size that a BIND names can be had: by default, where the buffer has room for it. */
  takesSize = (size: ScreenSize, _use: 'default' | 'alternate'): boolean => this.state.space.holds(size);

  /** The sizes that a BIND names; both or none of them are taken. */
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

  /**
   * Fills in what a form brought; a key of the keyboard then sends it.
   * @returns the first field that cannot hold its text; nothing has changed then
   */
  enterForm(form: Form): FormRefusal | undefined {
    return enterForm(this.state, form, this.#rules);
  }

  /**
   * Types a text at any position of a field, and cuts off what does not fit.
   * @returns why nothing was typed
   */
  enterAt(entry: PositionEntry): FormRefusal['reason'] | undefined {
    return enterAtPosition(this.state, entry, this.#rules);
  }

  /**
   * Fills in, types and presses a key, all of it or nothing. For 3270 screens: a line terminal's host gets each key as it is typed.
   * @returns the first thing that could not be done; nothing has changed then, and nothing was sent
   */
  operate(operation: Operation): FormRefusal | undefined {
    const { state, partner } = this;
    return operate({ state, rules: this.#rules, partner, send: (aid) => this.#attention(aid) }, operation);
  }

  /** The light pen, or its key, on the field that the cursor is in. A locked keyboard takes none. */
  select(): void {
    const { state } = this;
    if (this.#partner !== 'application' || state.operator.keyboardLocked) return;
    const told = selectByPen(state);
    state.revision++;
    if (told === 'Enter') {
      this.keyboard.press('Enter');
    } else if (told === 'pen') {
      state.operator.endInsertMode();
      state.operator.waitingForHost = true;
      state.aid = aids.cursorSelect;
      this.#attention(aids.cursorSelect);
    }
  }

  /** SYS REQ where the connection has no command for it: a test request goes to the host. */
  pressSystemRequest(): void {
    const { state } = this;
    if (this.#partner !== 'application' || state.operator.keyboardLocked) return;
    state.operator.endInsertMode();
    state.operator.waitingForHost = true;
    state.aid = aids.systemRequest;
    this.#port.sendRecord(readModified(state, aids.systemRequest, false));
  }

  /** The sizes are the model's own again. */
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

/** Gives a frame to whoever transfers a file, and sends the answer. A frame is complete when the keyboard is free. */
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
 * Whether a screen of models 3, 4 and 5 is a frame. Its positions are those of a frame of 24 by 80, in the order of the buffer. The
 * mark alone does not tell, as an application may begin a field there: no other field begins after it, and the content is a frame's.
 */
function isFrameOfLargerScreen({ planes, positions }: PresentationSpace, codes: Uint8Array): boolean {
  const { fieldAttributes } = planes;
  if (fieldAttributes.subarray(CUT_MARK + 1, positions).some((attribute) => attribute !== 0)) return false;
  const frame = readCutFrame(codes);
  if (frame.kind === 'fault') return false;
  return frame.value.kind !== 'dataRequest' || fieldAttributes[REQUEST_ATTRIBUTE] !== 0;
}
