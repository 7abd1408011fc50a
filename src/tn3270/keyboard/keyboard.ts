import { typedCharacters } from '../../lib/text/typed-characters.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { cursorKeys } from './cursor-keys.js';
import { editingKeys, enterCharacter } from './editing-keys.js';
import { findUnsentField, refusalToLeave, triggers } from './field-validation.js';
import type { KeyboardTerminal, KeyOutcome } from './keyboard-terminal.js';
import type { OperatorError } from './operator-errors.js';

const MOST_TYPED_AHEAD = 1_000;

export const localKeys: ReadonlySet<string> = new Set([
  ...cursorKeys.keys(),
  ...editingKeys.keys(),
  'BackSpace',
  'Insert',
  'Reset',
]);

const endsOperatorError: ReadonlySet<string> = new Set([
  ...[...cursorKeys.keys()].filter((key) => key !== 'Newline'),
  'EraseInput',
]);

type Keystroke = { readonly key: string } | { readonly character: string } | { readonly address: BufferAddress };

/** The keyboard of a 3278 (GA27-2827). */
export class Keyboard<Code> {
  readonly #terminal: KeyboardTerminal<Code>;
  #strokes: Keystroke[] = [];

  constructor(terminal: KeyboardTerminal<Code>) {
    this.#terminal = terminal;
  }

  get locked(): boolean {
    const { noPartner, waitingForHost, isChecked, operatorError } = this.#terminal;
    return noPartner || waitingForHost || isChecked || operatorError !== undefined;
  }

  get typedAhead(): number {
    return this.#strokes.length;
  }

  get textTypedAhead(): string {
    return this.#strokes.map((stroke) => ('character' in stroke ? stroke.character : '')).join('');
  }

  press(key: string): KeyOutcome | undefined {
    if (key === 'Reset') return this.#reset();
    if (!localKeys.has(key) && !this.#terminal.isAttentionKey(key)) return undefined;
    return this.#takeOrKeep({ key });
  }

  type(text: string): KeyOutcome {
    let outcome: KeyOutcome = 'done';
    for (const character of typedCharacters(text, (sequence) => this.#terminal.codeOf(sequence) !== undefined)) {
      outcome = this.#takeOrKeep({ character });
      if (outcome !== 'done' && outcome !== 'typedAhead') return outcome;
    }
    return outcome;
  }

  /**
   * Moves the cursor as a pointing device does, which clears an operator error.
   * @param isKept true to queue the move while the host has the keyboard; the screen may have changed by then
   */
  moveTo(address: BufferAddress, isKept = false): KeyOutcome {
    const terminal = this.#terminal;
    if (terminal.noPartner || terminal.isChecked) return 'dropped';
    if (terminal.waitingForHost) return isKept ? this.#keep({ address }) : 'dropped';
    terminal.setOperatorError(undefined);
    return this.#moveCursor(address);
  }

  typeAt(address: BufferAddress, character: string): KeyOutcome {
    const outcome = this.#terminal.buffer.cursor === address ? 'done' : this.#moveCursor(address);
    return outcome === 'done' ? this.#take({ character }) : outcome;
  }

  playTypedAhead(): void {
    let played = 0;
    const strokes = this.#strokes;
    // a key that is rejected immediately clears the queue during the loop
    while (played < strokes.length && this.#strokes === strokes && !this.locked) {
      this.#take(strokes[played++] as Keystroke);
    }
    if (this.#strokes !== strokes) return;
    // after an operator error, discard the rest: it was meant for another position
    this.#strokes = this.#terminal.operatorError === undefined ? strokes.slice(played) : [];
  }

  forgetTypedAhead(): void {
    this.#strokes = [];
  }

  /** Moves the cursor to the first field that prevents sending the screen. */
  checkFields(): OperatorError | undefined {
    const { buffer } = this.#terminal;
    const unsent = findUnsentField(buffer);
    if (unsent === undefined) return undefined;
    buffer.cursor = buffer.next(unsent.field);
    this.#terminal.setOperatorError(unsent.refusal);
    return unsent.refusal;
  }

  #takeOrKeep(stroke: Keystroke): KeyOutcome {
    const terminal = this.#terminal;
    if (terminal.noPartner || terminal.isChecked) return 'dropped';
    if (terminal.operatorError !== undefined) {
      // Insert works before the error is cleared
      if ('key' in stroke && stroke.key === 'Insert') return this.#take(stroke);
      if (!('key' in stroke) || !endsOperatorError.has(stroke.key)) return 'dropped';
      terminal.setOperatorError(undefined);
    }
    if (!terminal.waitingForHost) return this.#take(stroke);
    return this.#keep(stroke);
  }

  #keep(stroke: Keystroke): KeyOutcome {
    if (this.#strokes.length >= MOST_TYPED_AHEAD) return 'dropped';
    this.#strokes.push(stroke);
    return 'typedAhead';
  }

  #take(stroke: Keystroke): KeyOutcome {
    const terminal = this.#terminal;
    // the screen may have become smaller since the keystroke was queued
    if ('address' in stroke) return this.#moveCursor(stroke.address % terminal.buffer.positions);
    if ('key' in stroke) {
      const { key } = stroke;
      return terminal.perform({ did: 'pressed', key }, () => this.#report(this.#act(key)));
    }
    const { character } = stroke;
    return terminal.perform({ did: 'typed', character }, () =>
      this.#report(this.#leaving(() => enterCharacter(terminal, character))),
    );
  }

  #moveCursor(address: BufferAddress): KeyOutcome {
    return this.#terminal.perform({ did: 'moved' }, () => this.#report(this.#goTo(() => address)));
  }

  #report(refusal: OperatorError | undefined): KeyOutcome {
    if (refusal === undefined) return 'done';
    this.#terminal.setOperatorError(refusal);
    return refusal;
  }

  #act(key: string): OperatorError | undefined {
    const terminal = this.#terminal;
    if (terminal.isAttentionKey(key)) {
      const refusal = terminal.checksFields(key) ? this.checkFields() : undefined;
      return refusal ?? terminal.attention(key);
    }
    if (key === 'Insert') {
      terminal.insertMode = terminal.insertToggles ? !terminal.insertMode : true;
      return undefined;
    }
    const editing = editingKeys.get(key);
    if (editing !== undefined) return this.#leaving(() => editing(terminal));
    const move = cursorKeys.get(key === 'BackSpace' ? 'Left' : key);
    return move && this.#goTo(() => move(terminal.buffer));
  }

  #goTo(target: () => BufferAddress): OperatorError | undefined {
    const { buffer } = this.#terminal;
    return this.#leaving(() => {
      buffer.cursor = buffer.leftHalf(target());
      return undefined;
    });
  }

  /** Restores the cursor if it left an incomplete mandatory-fill field; notifies the host after a trigger field. */
  #leaving(move: () => OperatorError | undefined): OperatorError | undefined {
    const { buffer } = this.#terminal;
    const before = buffer.cursor;
    const field = buffer.fieldOf(before);
    const refusal = move();
    if (refusal !== undefined || field === undefined || buffer.fieldOf(buffer.cursor) === field) return refusal;
    const unfilled = refusalToLeave(buffer, field);
    if (unfilled !== undefined) {
      buffer.cursor = before;
      return unfilled;
    }
    if (triggers(buffer, field)) this.#terminal.trigger();
    return undefined;
  }

  #reset(): KeyOutcome {
    if (this.#strokes.length > 0) {
      this.#strokes = [];
      return 'done';
    }
    const terminal = this.#terminal;
    return terminal.perform({ did: 'pressed', key: 'Reset' }, () => {
      terminal.reset();
      return 'done';
    });
  }
}
