import { aids } from '../datastream/aid.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { attentionIdentifiers, attentionKeys, isShortReadKey } from '../keyboard/attention-keys.js';
import { Keyboard, localKeys } from '../keyboard/keyboard.js';
import type { KeyboardAction, KeyboardTerminal, KeyOutcome } from '../keyboard/keyboard-terminal.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import { settleDoubleByteCells } from './double-byte-cells.js';
import { type EntryRules, ScreenEntry } from './screen-entry.js';
import type { ScreenState } from './screen-state.js';

export class ScreenTerminal extends ScreenEntry implements KeyboardTerminal<number> {
  readonly insertToggles = false;
  /** The host's services accept only Enter with text, and Clear. */
  partner: ScreenPartner = 'none';
  readonly #send: (aid: number) => void;

  constructor(state: ScreenState, rules: EntryRules, send: (aid: number) => void) {
    super(state, rules);
    this.#send = send;
  }

  get noPartner(): boolean {
    return this.state.operator.noPartner;
  }

  get waitingForHost(): boolean {
    const { waitingForHost, transferring } = this.state.operator;
    return waitingForHost || transferring;
  }

  get operatorError(): OperatorError | undefined {
    return this.state.operator.operatorError;
  }

  setOperatorError(error: OperatorError | undefined): void {
    this.state.operator.operatorError = error;
  }

  get isChecked(): boolean {
    return this.state.operator.programCheck !== undefined;
  }

  reset(): void {
    const { operator } = this.state;
    operator.programCheck = undefined;
    operator.operatorError = undefined;
    operator.endInsertMode();
  }

  isAttentionKey(key: string): boolean {
    return attentionKeys.has(key);
  }

  checksFields(key: string): boolean {
    return this.partner !== 'services' && !isShortReadKey(key);
  }

  attention(key: string): OperatorError | undefined {
    const aid = attentionIdentifiers.get(key) as number;
    if (this.partner === 'services') return this.#servicesKey(aid);
    if (aid === aids.clear) {
      this.#clear();
      if (this.state.doubleByte) settleDoubleByteCells(this.state);
    }
    this.#lockAndSend(aid);
    return undefined;
  }

  trigger(): void {
    this.#lockAndSend(aids.trigger);
  }

  perform(_action: KeyboardAction, act: () => KeyOutcome): KeyOutcome {
    const outcome = act();
    this.state.revision++;
    return outcome;
  }

  #servicesKey(aid: number): OperatorError | undefined {
    if (aid === aids.enter) {
      this.#send(aid);
    } else if (aid === aids.clear) {
      this.#clear();
      this.state.sscpStart = 0;
    } else {
      return operatorErrors.minusFunction;
    }
    return undefined;
  }

  #clear(): void {
    this.state.space.clear();
    this.state.noteErased();
  }

  #lockAndSend(aid: number): void {
    this.state.lockFor(aid);
    this.#send(aid);
  }
}

/**
 * Communication partner of the screen. `none`: not connected; `unbound`: a host without an application; `services`: the
 * host's own services (SSCP-LU); `line`: a host in line mode (NVT).
 */
export type ScreenPartner = 'none' | 'unbound' | 'application' | 'services' | 'line';

const keysOfLines: ReadonlySet<string> = new Set(['DeleteWord', 'End']);

interface KeyboardPort {
  attention(aid: number): void;
  lineText(text: string): void;
  lineCursor(address: BufferAddress): void;
  /** Called before the screen of a line terminal changes. */
  lineChanged(): void;
  lineKey(key: string): boolean;
}

/** Attn and SysReq are not included. In line mode, all keys except Reset are sent to the host. */
export class ScreenKeyboard {
  readonly #port: KeyboardPort;
  readonly #terminal: ScreenTerminal;
  readonly #keyboard: Keyboard<number>;

  constructor(state: ScreenState, rules: EntryRules, port: KeyboardPort) {
    this.#port = port;
    this.#terminal = new ScreenTerminal(state, rules, (aid) => port.attention(aid));
    this.#keyboard = new Keyboard(this.#terminal);
  }

  get partner(): ScreenPartner {
    return this.#terminal.partner;
  }

  set partner(partner: ScreenPartner) {
    this.#terminal.partner = partner;
  }

  press(key: string): KeyOutcome | undefined {
    const isKey = localKeys.has(key) || attentionKeys.has(key) || keysOfLines.has(key);
    const isForHost = this.partner === 'line' && key !== 'Reset' && isKey;
    if (isForHost) {
      this.#port.lineChanged();
      return this.#port.lineKey(key) ? 'done' : 'dropped';
    }
    return this.#keyboard.press(key);
  }

  type(text: string): KeyOutcome {
    if (this.partner !== 'line') return this.#keyboard.type(text);
    this.#port.lineChanged();
    this.#port.lineText(text);
    return 'done';
  }

  /** Moves the cursor as a pointing device does. In line mode, only scripts (`isKept`) can move the cursor. */
  moveTo(address: BufferAddress, isKept = false): KeyOutcome {
    if (this.partner !== 'line') return this.#keyboard.moveTo(address, isKept);
    if (!isKept) return 'dropped';
    this.#port.lineChanged();
    this.#port.lineCursor(address);
    return 'done';
  }

  get typedAhead(): number {
    return this.#keyboard.typedAhead;
  }

  playTypedAhead(): void {
    this.#keyboard.playTypedAhead();
  }

  forgetTypedAhead(): void {
    this.#keyboard.forgetTypedAhead();
  }
}
