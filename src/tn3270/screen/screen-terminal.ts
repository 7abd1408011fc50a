import { aids } from '../datastream/aid.js';
import { attentionIdentifiers } from '../keyboard/attention-identifiers.js';
import { attentionKeys, isShortReadKey } from '../keyboard/attention-keys.js';
import type { KeyboardAction, KeyboardTerminal, KeyOutcome } from '../keyboard/keyboard-terminal.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import { settleDoubleByteCells } from './double-byte-cells.js';
import type { EntryRules } from './entry-rules.js';
import { ScreenEntry } from './screen-entry.js';
import type { ScreenPartner } from './screen-partner.js';
import type { ScreenState } from './screen-state.js';

/** A screen as its keyboard sees it. */
export class ScreenTerminal extends ScreenEntry implements KeyboardTerminal<number> {
  readonly insertToggles = false;
  /** The host's services take nothing but Enter and its text. */
  partner: ScreenPartner = 'none';
  readonly #send: (aid: number) => void;

  /** @param send an attention key was pressed and the keyboard is locked for it */
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
    const { operator } = this.state;
    operator.endInsertMode();
    operator.waitingForHost = true;
    this.state.aid = aid;
    this.#send(aid);
  }
}
