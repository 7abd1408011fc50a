import { aids, isShortRead } from '../datastream/aid.js';
import { attentionKeys } from './attention-keys.js';
import { type EntryRules, enterCodePoint } from './character-entry.js';
import { cursorKeys, leftHalf } from './cursor-keys.js';
import { settleDoubleByteCells } from './double-byte-cells.js';
import { type EditingKey, editingKeys } from './editing-keys.js';
import { findUnsentField, refusalToLeave, triggers } from './field-validation.js';
import { type OperatorError, operatorErrors } from './operator-information.js';
import type { ScreenPartner } from './screen-partner.js';
import type { ScreenState } from './screen-state.js';

/** Keystrokes that wait while the host has the keyboard locked; what is typed beyond is dropped. */
export const MOST_TYPED_AHEAD = 1_000;

/** What the keyboard asks of the session. */
export interface KeyboardPort {
  /** An attention key was pressed and the keyboard is locked for it. */
  attention(aid: number): void;
  /** A character for a line terminal. */
  lineText(text: string): void;
  /** A key for a line terminal. @returns whether it means something there */
  lineKey(key: string): boolean;
}

export type KeyOutcome = 'done' | 'typedAhead' | 'dropped' | OperatorError;

/** Every key that works on the screen or sends it; Attn and SysReq are the session's. */
export const keyNames: readonly string[] = [
  ...attentionKeys.keys(),
  ...Object.keys(cursorKeys),
  ...Object.keys(editingKeys),
  'BackSpace',
  'Insert',
  'Reset',
];

type Keystroke = { readonly key: string } | { readonly codePoint: number };

/** The keyboard of a 3278 in front of a screen: what each key does, and when it does nothing (GA27-2827). */
export class Keyboard {
  readonly #state: ScreenState;
  readonly #rules: EntryRules;
  readonly #port: KeyboardPort;
  #typedAhead: Keystroke[] = [];
  /** A line terminal's host gets the keys themselves; the host's services take nothing but Enter and its text. */
  partner: ScreenPartner = 'none';

  constructor(state: ScreenState, rules: EntryRules, port: KeyboardPort) {
    this.#state = state;
    this.#rules = rules;
    this.#port = port;
  }

  /**
   * Presses a key of `keyNames`.
   * @returns undefined where there is no such key
   */
  press(key: string): KeyOutcome | undefined {
    if (key === 'Reset') return this.#reset();
    if (!isKey(key)) return undefined;
    if (this.partner === 'line') return this.#port.lineKey(key) ? 'done' : 'dropped';
    return this.#takeOrKeep({ key });
  }

  /** Types text at the cursor, up to the first character that cannot be typed. */
  type(text: string): KeyOutcome {
    if (this.partner === 'line') {
      this.#port.lineText(text);
      return 'done';
    }
    let outcome: KeyOutcome = 'done';
    for (const character of text) {
      outcome = this.#takeOrKeep({ codePoint: character.codePointAt(0) as number });
      if (outcome !== 'done' && outcome !== 'typedAhead') return outcome;
    }
    return outcome;
  }

  get typedAhead(): number {
    return this.#typedAhead.length;
  }

  /** The host restored the keyboard: what was typed ahead is done now, until a key locks it again. */
  playTypedAhead(): void {
    let played = 0;
    const strokes = this.#typedAhead;
    while (played < strokes.length && !this.#state.operator.keyboardLocked) {
      this.#take(strokes[played++] as Keystroke);
    }
    // an operator error ends it: what was to follow was meant for another place
    this.#typedAhead = this.#state.operator.operatorError === undefined ? strokes.slice(played) : [];
  }

  forgetTypedAhead(): void {
    this.#typedAhead = [];
  }

  #takeOrKeep(stroke: Keystroke): KeyOutcome {
    const { operator } = this.#state;
    if (operator.noPartner || operator.programCheck !== undefined) return 'dropped';
    if (operator.operatorError !== undefined) {
      // the mode may be chosen before the error is cleared
      if ('key' in stroke && stroke.key === 'Insert') return this.#take(stroke);
      if (!('key' in stroke) || !endsOperatorError.has(stroke.key)) return 'dropped';
      operator.operatorError = undefined;
    }
    if (!operator.waitingForHost) return this.#take(stroke);
    if (this.#typedAhead.length >= MOST_TYPED_AHEAD) return 'dropped';
    this.#typedAhead.push(stroke);
    return 'typedAhead';
  }

  #take(stroke: Keystroke): KeyOutcome {
    const refusal = 'key' in stroke ? this.#act(stroke.key) : this.#enter(stroke.codePoint);
    this.#state.revision++;
    if (refusal === undefined) return 'done';
    this.#state.operator.operatorError = refusal;
    return refusal;
  }

  #enter(codePoint: number): OperatorError | undefined {
    return this.#leaving(() => enterCodePoint(this.#state, codePoint, this.#rules));
  }

  #act(key: string): OperatorError | undefined {
    const { space, operator } = this.#state;
    const aid = attentionKeys.get(key);
    if (aid !== undefined) return this.#attention(aid);
    if (key === 'Insert') {
      operator.insertMode = true;
      return undefined;
    }
    if (key === 'BackSpace') return this.#act('Left');
    const editing = (editingKeys as Readonly<Record<string, EditingKey>>)[key];
    if (editing !== undefined) return this.#leaving(() => editing(this.#state, this.#rules));
    return this.#leaving(() => {
      space.cursor = leftHalf(space, cursorKeys[key as keyof typeof cursorKeys](space));
      return undefined;
    });
  }

  /** What moves the cursor out of a field that is not as it must be, is undone; out of a trigger field, it tells the host. */
  #leaving(move: () => OperatorError | undefined): OperatorError | undefined {
    const { space } = this.#state;
    const field = space.fieldOf(space.cursor);
    const before = space.cursor;
    const refusal = move();
    if (refusal !== undefined || field === undefined || space.fieldOf(space.cursor) === field) return refusal;
    const unfilled = refusalToLeave(space, field);
    if (unfilled !== undefined) {
      space.cursor = before;
      return unfilled;
    }
    if (triggers(space, field)) this.#send(aids.trigger);
    return undefined;
  }

  #attention(aid: number): OperatorError | undefined {
    const { space } = this.#state;
    if (this.partner === 'services') return this.#servicesKey(aid);
    if (aid === aids.clear) {
      space.clear();
      if (this.#state.doubleByte) settleDoubleByteCells(this.#state);
    } else if (!isShortRead(aid)) {
      const unsent = findUnsentField(space);
      if (unsent !== undefined) {
        space.cursor = space.next(unsent.field);
        return unsent.refusal;
      }
    }
    this.#send(aid);
    return undefined;
  }

  #servicesKey(aid: number): OperatorError | undefined {
    if (aid === aids.enter) {
      this.#port.attention(aid);
    } else if (aid === aids.clear) {
      this.#state.space.clear();
      this.#state.sscpStart = 0;
    } else {
      return operatorErrors.minusFunction;
    }
    return undefined;
  }

  #send(aid: number): void {
    const { operator } = this.#state;
    operator.insertMode = false;
    operator.waitingForHost = true;
    this.#state.aid = aid;
    this.#port.attention(aid);
  }

  #reset(): KeyOutcome {
    this.#state.revision++;
    if (this.#typedAhead.length > 0) {
      this.#typedAhead = [];
      return 'done';
    }
    this.#state.operator.programCheck = undefined;
    this.#state.operator.operatorError = undefined;
    this.#state.operator.insertMode = false;
    return 'done';
  }
}

/** Keys that lead elsewhere, where what could not be done may be possible, and the one that begins anew. */
const endsOperatorError: ReadonlySet<string> = new Set([
  ...Object.keys(cursorKeys).filter((key) => key !== 'Newline'),
  'EraseInput',
]);

const isKey = (key: string) => keyNames.includes(key);
