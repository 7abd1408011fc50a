import type { CodePage } from '../codepage/code-page.js';
import { aids } from '../datastream/aid.js';
import type { DataStreamFault } from '../datastream/data-stream-handler.js';
import { decodeOutboundRecord } from '../datastream/decoder.js';
import type { ProgramCheck } from '../datastream/program-checks.js';
import type { TerminalTransfer } from '../file-transfer/terminal-transfer.js';
import type { EntryRules } from './entry-rules.js';
import { enterForm, type Form, type FormRefusal } from './form-entry.js';
import { type InboundRecord, readModified } from './inbound-records.js';
import { LatestImage } from './latest-image.js';
import type { LineCommand } from './nvt-line-editor.js';
import { NvtTerminal } from './nvt-terminal.js';
import { type Operation, operate } from './operation.js';
import { selectByPen } from './pen-selection.js';
import { enterAtPosition, type PositionEntry } from './position-entry.js';
import { RecordHandler } from './record-handler.js';
import { rememberScreen } from './screen-backup.js';
import { type ScreenImage, takeScreenImage } from './screen-image.js';
import { ScreenKeyboard } from './screen-keyboard.js';
import type { ScreenPartner } from './screen-partner.js';
import { DEFAULT_SIZE, type ScreenSize, type TerminalModel } from './screen-size.js';
import { ScreenState } from './screen-state.js';
import { readSscpInput, startSscpAnswer, writeSscpData } from './sscp-writer.js';
import { answerFrame } from './transfer-frames.js';

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
