import { randomBytes } from 'node:crypto';
import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { ProgramCheck } from '../datastream/data-stream-handler.js';
import type { HostConnection, HostTraffic } from '../host/host-connection.js';
import { HostSession } from '../host/host-session.js';
import type { HostSessionListener, HostSessionOptions } from '../host/host-session-options.js';
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

const ID_BYTES = 6;

interface ConversationListener extends Partial<HostSessionListener> {
  /** Called when the host has agreed on a terminal, and again if it assigns another logical unit. */
  reached?(): void;
}

/**
 * A host session with input, waits and screen recognition. All code that waits for a host uses this class, so that
 * there is one definition of a complete answer. Waits do not poll.
 */
export class Conversation {
  #id: string | undefined;
  readonly #session: HostSession;
  #connection: HostConnection | undefined;
  /** Logical unit last reported; null before a terminal was agreed. */
  #reachedUnit: string | undefined | null = null;
  readonly #listener: ConversationListener;
  readonly #waiters = new Waiters(() => this.end !== undefined);
  #end: HostSessionEnd | undefined;
  #awaitsAnswer = false;
  /** The host has answered a key, possibly with a blank screen. */
  #hasAnswered = false;
  /** Screen revision last seen. Typing also changes the revision, but is not an answer. */
  #seenRevision = 0;
  #seenPartner: ScreenPartner = 'none';
  /** `hostWrites` at the time when the current partner appeared. */
  #writesBefore = 0;
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

  /** Identifies the session in logs and for administrators. It grants no access. */
  get id(): string {
    this.#id ??= randomBytes(ID_BYTES).toString('hex');
    return this.#id;
  }

  connect(): void {
    this.#session.connect();
  }

  /** Starts to end the session; `ended` reports its end. */
  stop(): void {
    this.#session.stop();
  }

  get isConnected(): boolean {
    return this.#session.isConnected;
  }

  get isTn3270e(): boolean {
    return this.#session.mode === 'tn3270e';
  }

  get agreed(): TelnetAgreement {
    return this.#session.agreed;
  }

  /** Name of the primary logical unit in the BIND, in EBCDIC. */
  get primaryName(): Uint8Array | undefined {
    return this.#session.boundBy;
  }

  get deviceName(): string | undefined {
    return this.#session.deviceName;
  }

  /** Also available after the end of the session. */
  get traffic(): HostTraffic {
    return this.#connection?.traffic ?? { received: 0, sent: 0 };
  }

  get sentRecords(): number {
    return this.#session.traces.sentRecords;
  }

  /** Replaces the trace in which non-displayable data is masked; undefined stops it. */
  set trace(trace: HostTrace | undefined) {
    this.#session.traces.others = trace;
  }

  /** Trace of the program that drives the session, with all data of the host. */
  set ownTrace(trace: HostTrace | undefined) {
    this.#session.traces.own = trace;
  }

  get secured(): string | undefined {
    return this.#session.secured;
  }

  get screen(): Screen {
    return this.#session.screen;
  }

  /** The displayed screen, without non-displayable data. */
  get image(): ScreenImage {
    return this.screen.image;
  }

  get end(): HostSessionEnd | undefined {
    return this.#end;
  }

  /** X PROG: the host sent a malformed record, and Reset was not pressed since. */
  get programCheck(): ProgramCheck | undefined {
    return this.screen.state.operator.programCheck;
  }

  /** True from a key until the host writes, unlocks the keyboard, or sends a malformed record. */
  get awaitsAnswer(): boolean {
    return this.#awaitsAnswer;
  }

  get takesInput(): boolean {
    const { state, partner } = this.screen;
    return partner !== 'none' && partner !== 'unbound' && !state.operator.keyboardLocked;
  }

  get isReady(): boolean {
    const { space } = this.screen.state;
    return this.takesInput && (space.formatted || !this.image.text.isBlank);
  }

  /** True if the current partner (application or services) has written since it appeared, even if only blanks. */
  get hasWritten(): boolean {
    return this.screen.state.hostWrites > this.#writesBefore || this.isReady;
  }

  get isSettled(): boolean {
    return !this.#awaitsAnswer && this.takesInput && (this.#hasAnswered || this.isReady);
  }

  /**
   * Resolves when a condition holds, checked after every change, or when the wait has ended.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY if there are too many waits; exceptions of `holds`
   */
  waitUntil(holds: () => boolean, wait: Wait = {}): Promise<WaitEnd> {
    return this.#waiters.wait(holds, wait);
  }

  /**
   * Resolves when the host has settled and was quiet for this time, after a program check, or when the wait has ended.
   */
  settled(wait: Wait & { readonly quietMilliseconds?: number | undefined } = {}): Promise<WaitEnd> {
    return this.waitUntilSettled(() => true, wait);
  }

  /** Checks all waits again, for conditions that depend on other state than that of the host. */
  lookAgain(): void {
    this.#waiters.tell();
  }

  /**
   * Fills in fields, types and presses a key, completely or not at all. Only `step` checks the screen before.
   * @returns the reason if no input was applied
   * @throws RangeError if the act is not valid
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

  /** Types at any position of a field and truncates the text to the field. @returns the reason if no text was typed */
  enterAt(entry: PositionEntry): 'locked' | FormRefusal['reason'] | undefined {
    if (!this.takesInput) return 'locked';
    // a line terminal has no positions: its host receives each typed character at once
    if (this.screen.partner === 'line') return 'unknownField';
    const refusal = this.screen.enterAt(entry);
    this.#seenRevision = this.screen.state.revision;
    return refusal;
  }

  /** Fills in a form, completely or not at all, and presses no key. @returns the first field that rejects its text */
  enterForm(form: Form): FormRefusal | undefined {
    const refusal = this.screen.enterForm(form);
    // typing is not a write of the host
    this.#seenRevision = this.screen.state.revision;
    return refusal;
  }

  /** Presses one key; keeps it for later if the keyboard is locked. @returns undefined for an unknown key */
  press(key: string): KeyOutcome | undefined {
    const outcome = this.screen.keyboard.press(key);
    const isOnItsWay = outcome === 'done' || outcome === 'typedAhead';
    if (isOnItsWay && this.#isSent(key)) this.#awaitAnswer();
    // changes by the key itself are not an answer of the host
    this.#seenRevision = this.screen.state.revision;
    return outcome;
  }

  type(text: string): KeyOutcome {
    const outcome = this.screen.keyboard.type(text);
    this.#seenRevision = this.screen.state.revision;
    return outcome;
  }

  attention(): void {
    this.#session.attention();
  }

  interrupt(): void {
    this.#session.interrupt();
  }

  /** SYS REQ: switches between the application and the host's services. */
  systemRequest(): void {
    this.#session.systemRequest();
  }

  /** @throws the reason of an aborted signal */
  expect(definitions: readonly ScreenDefinition[], expectation: Expectation): Promise<StepEnd> {
    return expectScreens(this, definitions, expectation);
  }

  /**
   * Waits for one of the screens in `at`, acts in the same turn, and waits for one of the screens in `expect`.
   * @throws the reason of an aborted signal
   */
  async step(step: Step): Promise<StepEnd> {
    const end = await takeStep(this, step);
    // Attn and keys of a line terminal do not lock the keyboard: stop waiting for their answer
    if (end.kind === 'timedOut' && !this.screen.state.operator.waitingForHost) this.#awaitsAnswer = false;
    return end;
  }

  readTable(reading: TableReading): Promise<TableEnd> {
    return readTable(this, reading);
  }

  /** Transfers a file with IND$FILE. The keyboard is locked during the transfer. */
  async transferFile(transfer: FileTransfer): Promise<FileTransferEnd> {
    const end = await transferFile(this, transfer);
    // the end of the transfer may unlock the keyboard without a record of the host
    this.#changed();
    return end;
  }

  extract(extracts: Readonly<Record<string, Extract>>): Extracted {
    return extract(this.image, extracts);
  }

  /** Resolves when the host has settled and the condition holds, after a program check, or when the wait has ended. */
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

  /** True, false, or the remaining quiet time in milliseconds. */
  #isQuiet(milliseconds: number): ReturnType<Look> {
    if (!this.isSettled) return false;
    const left = this.#lastWrite + milliseconds - performance.now();
    return milliseconds <= 0 || left <= 0 ? true : left;
  }

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
    // leaving a trigger field locks the keyboard, like a key
    if (isSent || sessionKey !== undefined || this.screen.state.operator.waitingForHost) this.#awaitAnswer();
    if (sessionKey === 'Attn') this.attention();
    else if (sessionKey === 'SysReq') this.systemRequest();
  }

  /** Network services accept only Enter; other keys are local. */
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
      // no key was sent to the new partner, so there is no answer to wait for: it is ready after its first write
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

/** A host session on which steps run: a conversation, or an interface to the session of a browser or a program. */
export type WalkedSession = Pick<
  Conversation,
  'image' | 'isSettled' | 'settled' | 'expect' | 'step' | 'readTable' | 'transferFile'
>;
