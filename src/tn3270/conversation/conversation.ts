import { randomBytes } from 'node:crypto';
import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { DataStreamFault, ProgramCheck } from '../datastream/data-stream-handler.js';
import type { HostConnection, HostTraffic } from '../host/host-connection.js';
import { HostSession } from '../host/host-session.js';
import type { HostSessionOptions } from '../host/host-session-options.js';
import type { HostTrace } from '../host/host-trace.js';
import { attentionKeys } from '../keyboard/attention-keys.js';
import type { KeyOutcome } from '../keyboard/keyboard-terminal.js';
import type { Form, FormRefusal, PositionEntry } from '../screen/form-entry.js';
import type { Screen } from '../screen/screen.js';
import type { ScreenImage } from '../screen/screen-image.js';
import type { ScreenPartner } from '../screen/screen-terminal.js';
import type { TelnetAgreement } from '../telnet/client-negotiation.js';
import { type Act, type ActRefusal, type PreparedAct, prepareAct, refusalOf } from './act.js';
import { type Extract, type Extracted, extract, readTable, type TableEnd, type TableReading } from './extract.js';
import { type FileTransfer, type FileTransferEnd, transferFile } from './file-transfer.js';
import type { ScreenDefinition } from './screen-definition.js';
import { type Expectation, expectScreens, type Step, type StepEnd, takeStep } from './step.js';
import { type Look, type Wait, type WaitEnd, Waiters } from './waiters.js';

/** 48 bits: no two sessions have the same. */
const ID_BYTES = 6;

/** What a conversation tells its owner. */
interface ConversationListener {
  /** The host and we have agreed on a terminal, or the host has given it another logical unit. */
  reached?(): void;
  /** The screen, or what the session is, may look another way than before. */
  changed?(): void;
  /** A record of the host that could not be carried out. The bytes come from the host: log them as hexadecimal. */
  fault?(fault: DataStreamFault, record: Uint8Array): void;
  ended?(end: HostSessionEnd): void;
  /** The host says nothing, and this is why; undefined: it has spoken after all. */
  silent?(reason: string | undefined): void;
  /** The session is over, and the screen yet as the host has left it. */
  ending?(): void;
  /** What a line terminal's host writes, before it is shown. */
  lineData?(bytes: Uint8Array): void;
}

/**
 * A host session for whoever acts on its screens: when the host is settled, waiting, acting, looking. Nobody else waits for hosts,
 * and nobody else decides what an answer is. Nothing polls; a wait that is over leaves nothing behind.
 */
export class Conversation {
  #id: string | undefined;
  readonly #session: HostSession;
  #connection: HostConnection | undefined;
  /** Of the terminal that was agreed on; null: none was. */
  #reachedUnit: string | undefined | null = null;
  readonly #listener: ConversationListener;
  readonly #waiters = new Waiters(() => this.end !== undefined);
  #end: HostSessionEnd | undefined;
  /** A key went to the host, and the host has not answered it. */
  #awaitsAnswer = false;
  /** The host has answered a key: a blank screen is one, too. */
  #hasAnswered = false;
  /** Of what was looked at last: what we type changes it as well, and is no answer. */
  #seenRevision = 0;
  #seenPartner: ScreenPartner = 'none';
  /** Of the host, when the partner of now came. */
  #writesBefore = 0;
  /** When the host wrote last (`performance.now()`). */
  #lastWrite = 0;

  constructor(options: HostSessionOptions, listener: ConversationListener = {}) {
    this.#listener = listener;
    const connect: HostSessionOptions['connect'] = async (handler, signal) => {
      this.#connection = await options.connect(handler, signal);
      return this.#connection;
    };
    this.#session = new HostSession(
      { ...options, connect },
      {
        changed: () => this.#changed(),
        fault: (fault, record) => this.#listener.fault?.(fault, record),
        ended: (end) => this.#over(end),
        silent: (reason) => this.#listener.silent?.(reason),
        ending: () => this.#listener.ending?.(),
        lineData: (bytes) => this.#listener.lineData?.(bytes),
      },
    );
    const { transferBufferBytes } = options;
    if (transferBufferBytes !== undefined) this.screen.state.transferBufferBytes = transferBufferBytes;
  }

  /** By which logs and operators name the session; it opens nothing. */
  get id(): string {
    this.#id ??= randomBytes(ID_BYTES).toString('hex');
    return this.#id;
  }

  /** Begins to connect. */
  connect(): void {
    this.#session.connect();
  }

  /** Ends the session in an orderly way; `ended` tells when it is over. */
  stop(): void {
    this.#session.stop();
  }

  get isConnected(): boolean {
    return this.#session.isConnected;
  }

  /** Whether host and terminal have agreed on TN3270E. */
  get isTn3270e(): boolean {
    return this.#session.mode === 'tn3270e';
  }

  /** What the negotiation with the host has come to. */
  get agreed(): TelnetAgreement {
    return this.#session.agreed;
  }

  /** The name of the primary logical unit that has bound the session, in EBCDIC. */
  get primaryName(): Uint8Array | undefined {
    return this.#session.boundBy;
  }

  /** The logical unit that the host gave to the session. */
  get deviceName(): string | undefined {
    return this.#session.deviceName;
  }

  /** Bytes that came from the host and went to it, also after the end. */
  get traffic(): HostTraffic {
    return this.#connection?.traffic ?? { received: 0, sent: 0 };
  }

  /** Records that went to the host. */
  get sentRecords(): number {
    return this.#session.traces.sentRecords;
  }

  /** Traces from now on, in place of another such trace; undefined: no more. */
  set trace(trace: HostTrace | undefined) {
    this.#session.traces.others = trace;
  }

  /** The trace of whoever drives the session, with all that the host sends. */
  set ownTrace(trace: HostTrace | undefined) {
    this.#session.traces.own = trace;
  }

  /** Protocol and cipher, where the connection is encrypted. */
  get secured(): string | undefined {
    return this.#session.secured;
  }

  get screen(): Screen {
    return this.#session.screen;
  }

  /** The screen as it is displayed. What is not displayed is not in it. */
  get image(): ScreenImage {
    return this.screen.image;
  }

  /** How the session ended; undefined while it has not. */
  get end(): HostSessionEnd | undefined {
    return this.#end;
  }

  /** X PROG: the host sent a record that cannot be carried out, and nobody has pressed Reset since. */
  get programCheck(): ProgramCheck | undefined {
    return this.screen.state.operator.programCheck;
  }

  /** Whether a key went to the host and no answer has come: a write, or the keyboard alone, or a record that is faulty. */
  get awaitsAnswer(): boolean {
    return this.#awaitsAnswer;
  }

  /** Whether the host is there and the keyboard is free. */
  get takesInput(): boolean {
    const { state, partner } = this.screen;
    return partner !== 'none' && partner !== 'unbound' && !state.operator.keyboardLocked;
  }

  /** Whether the host has written something and waits for the operator. */
  get isReady(): boolean {
    const { space } = this.screen.state;
    return this.takesInput && (space.formatted || this.image.cells.some((cell) => cell !== ' '));
  }

  /** Whether the partner of now, an application or the host's services, has written since it came, be it blanks only. */
  get hasWritten(): boolean {
    return this.screen.state.hostWrites > this.#writesBefore || this.isReady;
  }

  /** Whether the host has answered, with whatever, and the keyboard is free. */
  get isSettled(): boolean {
    return !this.#awaitsAnswer && this.takesInput && (this.#hasAnswered || this.isReady);
  }

  /**
   * Resolves when something is so, looked at after every change, or when it will not be.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY where too many wait already, and whatever `holds` throws
   */
  waitUntil(holds: () => boolean, wait: Wait = {}): Promise<WaitEnd> {
    return this.#waiters.wait(holds, wait);
  }

  /** Resolves when the host is settled and has been quiet for so long, or when it will not be: a program check ends it, too. */
  settled(wait: Wait & { readonly quietMilliseconds?: number | undefined } = {}): Promise<WaitEnd> {
    return this.waitUntilSettled(() => true, wait);
  }

  /** For conditions that look at more than the host: something of that has changed. */
  lookAgain(): void {
    this.#waiters.tell();
  }

  /**
   * Fills in, types and presses a key: all of it or nothing. Whether the screen is the right one, it does not ask: `step` does.
   * @returns why nothing was done
   * @throws RangeError where the act cannot be one
   */
  act(act: Act): ActRefusal | undefined {
    const { image } = this;
    const prepared = prepareAct(image, act);
    if (!this.takesInput) return { kind: 'locked' };
    if (prepared.kind === 'fault') return { kind: 'notThere', differs: prepared.fault };
    if (this.screen.partner === 'line') return this.#typeOnLine(prepared.value);
    const refusal = this.screen.operate(prepared.value);
    this.#seenRevision = this.screen.state.revision;
    if (refusal !== undefined) return refusalOf(image, refusal);
    this.#pressed(prepared.value);
    return undefined;
  }

  /** Types at any position of a field; what does not fit is cut off. @returns why nothing was typed */
  enterAt(entry: PositionEntry): 'locked' | FormRefusal['reason'] | undefined {
    if (!this.takesInput) return 'locked';
    // a line terminal has no places of its own: its host gets each character as it is typed
    if (this.screen.partner === 'line') return 'unknownField';
    const refusal = this.screen.enterAt(entry);
    this.#seenRevision = this.screen.state.revision;
    return refusal;
  }

  /** Types a form into the screen, all of it or nothing; no key is pressed. @returns the first field that does not take it */
  enterForm(form: Form): FormRefusal | undefined {
    const refusal = this.screen.enterForm(form);
    // what was typed is nothing that the host has written
    this.#seenRevision = this.screen.state.revision;
    return refusal;
  }

  /** Presses one key as it comes, typed ahead where the host has the keyboard. @returns undefined where there is no such key */
  press(key: string): KeyOutcome | undefined {
    const outcome = this.screen.keyboard.press(key);
    const isOnItsWay = outcome === 'done' || outcome === 'typedAhead';
    if (isOnItsWay && this.#isSent(key)) this.#awaitAnswer();
    // what the key itself has changed is no answer of the host
    this.#seenRevision = this.screen.state.revision;
    return outcome;
  }

  /** Types characters as they come, up to the first that cannot be typed. */
  type(text: string): KeyOutcome {
    const outcome = this.screen.keyboard.type(text);
    this.#seenRevision = this.screen.state.revision;
    return outcome;
  }

  /** ATTN: stops what the application does. */
  attention(): void {
    this.#session.attention();
  }

  /** Interrupts what the host does. */
  interrupt(): void {
    this.#session.interrupt();
  }

  /** SYS REQ: to the host's services and back. */
  systemRequest(): void {
    this.#session.systemRequest();
  }

  /** Waits until one of several screens is there. @throws what the signal was aborted with */
  expect(definitions: readonly ScreenDefinition[], expectation: Expectation): Promise<StepEnd> {
    return expectScreens(this, definitions, expectation);
  }

  /**
   * Waits for a screen that may be acted on, acts in the same turn as it is recognised, and waits for one that may follow.
   * @throws what the signal was aborted with
   */
  async step(step: Step): Promise<StepEnd> {
    const end = await takeStep(this, step);
    // Attn, and keys of a line terminal, leave the keyboard free: an answer that did not come is waited for no longer
    if (end.kind === 'timedOut' && !this.screen.state.operator.waitingForHost) this.#awaitsAnswer = false;
    return end;
  }

  /** Reads the rows of a table, over several pages where there is a key that turns them. @throws what the signal was aborted with */
  readTable(reading: TableReading): Promise<TableEnd> {
    return readTable(this, reading);
  }

  /** Transfers a file with IND$FILE; nobody else types meanwhile. */
  async transferFile(transfer: FileTransfer): Promise<FileTransferEnd> {
    const end = await transferFile(this, transfer);
    // the keyboard may be free now, and no record of the host says so
    this.#changed();
    return end;
  }

  /** Reads what is displayed now, as the types that it should have. */
  extract(extracts: Readonly<Record<string, Extract>>): Extracted {
    return extract(this.image, extracts);
  }

  /** Resolves when the host is settled and something is so; a program check ends it, too: no answer will come. */
  waitUntilSettled(
    holds: () => boolean,
    { quietMilliseconds = 0, ...wait }: Wait & { readonly quietMilliseconds?: number | undefined },
  ): Promise<WaitEnd> {
    return this.#waiters.wait(() => {
      if (this.programCheck !== undefined) return true;
      const quiet = this.#isQuiet(quietMilliseconds);
      return quiet === true ? holds() : quiet;
    }, wait);
  }

  /** True, false, or the milliseconds that the host must be quiet for yet. */
  #isQuiet(milliseconds: number): ReturnType<Look> {
    if (!this.isSettled) return false;
    const left = this.#lastWrite + milliseconds - performance.now();
    return milliseconds <= 0 || left <= 0 ? true : left;
  }

  /** A line terminal's host gets each character as it is typed, and there are no fields. */
  #typeOnLine({ entries, strokes, key, ...prepared }: PreparedAct): ActRefusal | undefined {
    if (entries.length > 0) return { kind: 'notThere', differs: 'a line terminal has no fields' };
    for (const stroke of strokes) {
      if ('text' in stroke) this.type(stroke.text);
      else this.press(stroke.key);
    }
    if (key !== undefined) this.press(key);
    this.#pressed({ ...prepared, key: undefined });
    return undefined;
  }

  #pressed({ key, sessionKey }: Pick<PreparedAct, 'key' | 'sessionKey'>): void {
    const isSent = key !== undefined && this.#isSent(key);
    // a trigger field that was left locks the keyboard as a key does
    if (isSent || sessionKey !== undefined || this.screen.state.operator.waitingForHost) this.#awaitAnswer();
    if (sessionKey === 'Attn') this.attention();
    else if (sessionKey === 'SysReq') this.systemRequest();
  }

  /** The host's services take Enter alone; other keys work on the screen there. */
  #isSent(key: string): boolean {
    return this.screen.partner === 'services' ? key === 'Enter' : attentionKeys.has(key);
  }

  #awaitAnswer(): void {
    this.#awaitsAnswer = true;
    this.#hasAnswered = false;
  }

  #changed(): void {
    const { state, partner } = this.screen;
    if (partner !== 'none' && this.deviceName !== this.#reachedUnit) {
      this.#reachedUnit = this.deviceName;
      this.#listener.reached?.();
    }
    const isWritten = state.revision !== this.#seenRevision;
    if (!isWritten && partner !== 'none') return;
    this.#seenRevision = state.revision;
    if (isWritten) this.#written(partner);
    this.#listener.changed?.();
    this.#waiters.tell();
  }

  #written(partner: ScreenPartner): void {
    this.#lastWrite = performance.now();
    if (partner !== this.#seenPartner) {
      // whoever is there now has not been asked anything, and is ready when it has written something
      this.#seenPartner = partner;
      this.#awaitsAnswer = false;
      this.#hasAnswered = false;
      this.#writesBefore = this.screen.state.hostWrites;
    } else if (this.#awaitsAnswer && (this.takesInput || this.programCheck !== undefined)) {
      this.#awaitsAnswer = false;
      this.#hasAnswered = true;
    }
  }

  #over(end: HostSessionEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#listener.ended?.(end);
    this.#waiters.tell();
  }
}

/** A host session that steps are taken in: a conversation itself, or the door to the session of a browser or a program. */
export type WalkedSession = Pick<
  Conversation,
  'image' | 'isSettled' | 'settled' | 'expect' | 'step' | 'readTable' | 'transferFile'
>;
