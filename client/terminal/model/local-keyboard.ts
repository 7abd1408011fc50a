import type { OperatorError } from '../../../src/screen/operator-information.js';
import { isAttentionKey, sendsFields, TRIGGER } from './attention-key.js';
import { enterCharacter } from './character-entry.js';
import { cursorKeys } from './cursor-keys.js';
import { editingKeys } from './editing-keys.js';
import type { EntryState } from './entry-state.js';
import { isNonDisplayable, isProtected } from './field-attribute.js';
import { findUnsentField, refusalToLeave, triggers } from './field-validation.js';
import type { Action, CursorPlace, PerformedAction } from './performed-action.js';
import { programCheckOf } from './program-check.js';

/** Keystrokes that wait while the host has the keyboard; what is typed beyond is dropped. */
export const MOST_TYPED_AHEAD = 1_000;

export type KeyOutcome = 'done' | 'typedAhead' | 'dropped' | OperatorError;

/** What the keyboard asks of the terminal. */
export interface KeyboardPort {
  isWaiting(): boolean;
  /** There is nobody to type for. */
  hasNoPartner(): boolean;
  /** A key was pressed that goes to the host; the keyboard is locked from then on. */
  attention(key: string): void;
  /** Whoever records; undefined: nobody. */
  recording(): ((performed: PerformedAction) => void) | undefined;
}

type Keystroke = { readonly key: string } | { readonly character: string };

/** Keys that lead elsewhere, where what could not be done may be possible, and the one that begins anew. */
const endsOperatorError: ReadonlySet<string> = new Set([
  ...[...cursorKeys.keys()].filter((key) => key !== 'Newline'),
  'EraseInput',
]);

/** The keyboard of a 3278 (GA27-2827), typing into the browser's own copy of the screen. */
export class LocalKeyboard {
  readonly #state: EntryState;
  readonly #port: KeyboardPort;
  #strokes: Keystroke[] = [];
  /** The name of what the operator did wrong; the server may have found it, too. */
  operatorError: string | undefined;

  constructor(state: EntryState, port: KeyboardPort) {
    this.#state = state;
    this.#port = port;
  }

  get locked(): boolean {
    return this.#port.hasNoPartner() || this.#port.isWaiting() || this.operatorError !== undefined;
  }

  /** Whether the host sent a faulty record: Reset alone goes on. */
  get #isChecked(): boolean {
    return programCheckOf(this.operatorError) !== undefined;
  }

  get typedAhead(): number {
    return this.#strokes.length;
  }

  /** @returns undefined where there is no such key */
  press(key: string): KeyOutcome | undefined {
    if (key === 'Reset') return this.#reset();
    if (!isKey(key)) return undefined;
    return this.#takeOrKeep({ key });
  }

  /** Types text at the cursor, up to the first character that cannot be typed. */
  type(text: string): KeyOutcome {
    let outcome: KeyOutcome = 'done';
    for (const character of text) {
      outcome = this.#takeOrKeep({ character });
      if (outcome !== 'done' && outcome !== 'typedAhead') return outcome;
    }
    return outcome;
  }

  /** Moves the cursor as by a pointing device, which leads out of an operator error like a cursor key. */
  moveTo(address: number): KeyOutcome {
    if (this.#port.hasNoPartner() || this.#port.isWaiting() || this.#isChecked) return 'dropped';
    this.operatorError = undefined;
    return this.#moveCursor(address);
  }

  /** Types a character where pasted text has it. */
  typeAt(address: number, character: string): KeyOutcome {
    const outcome = this.#state.buffer.cursor === address ? 'done' : this.#moveCursor(address);
    return outcome === 'done' ? this.#enter(character) : outcome;
  }

  /** The keyboard is free again: what was typed ahead is done now, until a key locks it. */
  playTypedAhead(): void {
    let played = 0;
    const strokes = this.#strokes;
    // a key that is refused at once has them forgotten meanwhile
    while (played < strokes.length && this.#strokes === strokes && !this.locked) {
      this.#take(strokes[played++] as Keystroke);
    }
    if (this.#strokes !== strokes) return;
    // an operator error ends it: what was to follow was meant for another place
    this.#strokes = this.operatorError === undefined ? strokes.slice(played) : [];
  }

  forgetTypedAhead(): void {
    this.#strokes = [];
  }

  /** Does something on the screen, unless it would leave a field that is not as it must be. */
  #attempt(move: () => OperatorError | undefined): KeyOutcome {
    return this.#report(this.#leaving(move));
  }

  /** Whether the screen may be sent with its fields; where not, the cursor goes to the field that is not as it must be. */
  checkFields(): OperatorError | undefined {
    const { buffer } = this.#state;
    const unsent = findUnsentField(buffer);
    if (unsent === undefined) return undefined;
    buffer.cursor = buffer.next(unsent.field);
    this.operatorError = unsent.refusal;
    return unsent.refusal;
  }

  #takeOrKeep(stroke: Keystroke): KeyOutcome {
    if (this.#port.hasNoPartner() || this.#isChecked) return 'dropped';
    if (this.operatorError !== undefined) {
      // the mode may be chosen before the error is cleared
      if ('key' in stroke && stroke.key === 'Insert') return this.#take(stroke);
      if (!('key' in stroke) || !endsOperatorError.has(stroke.key)) return 'dropped';
      this.operatorError = undefined;
    }
    if (!this.#port.isWaiting()) return this.#take(stroke);
    if (this.#strokes.length >= MOST_TYPED_AHEAD) return 'dropped';
    this.#strokes.push(stroke);
    return 'typedAhead';
  }

  #take(stroke: Keystroke): KeyOutcome {
    if ('character' in stroke) return this.#enter(stroke.character);
    const { key } = stroke;
    return this.#perform({ did: 'pressed', key }, () => this.#report(this.#act(key)));
  }

  #enter(character: string): KeyOutcome {
    return this.#perform({ did: 'typed', character }, () =>
      this.#attempt(() => enterCharacter(this.#state, character)),
    );
  }

  #moveCursor(address: number): KeyOutcome {
    const { buffer } = this.#state;
    return this.#perform({ did: 'moved' }, () =>
      this.#attempt(() => {
        buffer.cursor = buffer.leftHalf(address);
        return undefined;
      }),
    );
  }

  /** Does something, and tells it to whoever records; of a field that is not displayed, not what was typed. */
  #perform(action: Action, act: () => KeyOutcome): KeyOutcome {
    const record = this.#port.recording();
    if (record === undefined) return act();
    const from = this.#place();
    const { buffer } = this.#state;
    const goal = buffer.formatted ? buffer.nextUnprotected(from.position) : undefined;
    const outcome = act();
    const to = this.#place();
    record({
      action: action.did === 'typed' && from.isHidden ? { did: 'typed', character: undefined } : action,
      from,
      to,
      isRefused: outcome !== 'done',
      goesToNextField: to.position === goal,
    });
    return outcome;
  }

  #place(): CursorPlace {
    const { buffer } = this.#state;
    const field = buffer.fieldOf(buffer.cursor);
    const attribute = buffer.attributeOf(buffer.cursor);
    return {
      position: buffer.cursor,
      field,
      start: field === undefined ? 0 : buffer.next(field),
      isHidden: field !== undefined && isNonDisplayable(attribute) && !isProtected(attribute),
    };
  }

  #report(refusal: OperatorError | undefined): KeyOutcome {
    if (refusal === undefined) return 'done';
    this.operatorError = refusal;
    return refusal;
  }

  #act(key: string): OperatorError | undefined {
    const { buffer } = this.#state;
    if (isAttentionKey(key)) {
      const refusal = sendsFields(key) ? this.checkFields() : undefined;
      if (refusal === undefined) this.#port.attention(key);
      return refusal;
    }
    if (key === 'Insert') {
      this.#state.insertMode = !this.#state.insertMode;
      return undefined;
    }
    const editing = editingKeys.get(key);
    if (editing !== undefined) return this.#leaving(() => editing(this.#state));
    const move = cursorKeys.get(key === 'BackSpace' ? 'Left' : key);
    return this.#leaving(() => {
      if (move !== undefined) buffer.cursor = buffer.leftHalf(move(buffer));
      return undefined;
    });
  }

  /** What moves the cursor out of a field that is not as it must be, is undone; out of a trigger field, it tells the host. */
  #leaving(move: () => OperatorError | undefined): OperatorError | undefined {
    const { buffer } = this.#state;
    const before = buffer.cursor;
    const field = buffer.fieldOf(before);
    const refusal = move();
    if (refusal !== undefined || field === undefined || buffer.fieldOf(buffer.cursor) === field) return refusal;
    const unfilled = refusalToLeave(buffer, field);
    if (unfilled !== undefined) {
      buffer.cursor = before;
      return unfilled;
    }
    if (triggers(buffer, field)) this.#port.attention(TRIGGER);
    return undefined;
  }

  #reset(): KeyOutcome {
    if (this.#strokes.length > 0) {
      this.#strokes = [];
      return 'done';
    }
    const reset = (): KeyOutcome => {
      this.operatorError = undefined;
      this.#state.insertMode = false;
      return 'done';
    };
    // what was refused is not recorded, and neither is what clears it
    const isForErrorOnly = this.operatorError !== undefined && !this.#state.insertMode;
    return isForErrorOnly ? reset() : this.#perform({ did: 'pressed', key: 'Reset' }, reset);
  }
}

function isKey(key: string): boolean {
  return cursorKeys.has(key) || editingKeys.has(key) || key === 'BackSpace' || key === 'Insert' || isAttentionKey(key);
}
