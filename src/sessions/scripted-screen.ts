import type { StopSignal } from '../lib/stop-signal.js';
import type { Conversation } from '../tn3270/conversation/conversation.js';
import { inputFields } from '../tn3270/conversation/displayed-text.js';
import type { PositionEntry } from '../tn3270/screen/form-entry.js';
import { fieldIdOf } from '../tn3270/screen/form-screen.js';
import type { Stroke } from '../tn3270/screen/operation.js';

interface AnswerWait {
  readonly text: string | undefined;
  readonly milliseconds: number | undefined;
  readonly quietMilliseconds: number;
  readonly signal: StopSignal;
}

type ActEnd =
  | { readonly kind: 'done' | 'timedOut' | 'faulty' | 'gone' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Result of a script of AND=(SCRIPT,…). */
export type ScriptEnd = { readonly kind: 'done' | 'gone' } | { readonly kind: 'wrong'; readonly reason: string };

const lockedWords = 'the keyboard is locked: waiting for the host, or not connected';

const refusals: Readonly<Record<string, string>> = {
  goElsewhere: 'it is protected',
  numericField: 'the field accepts only digits, minus and full stop',
  doubleByteCharacter: 'the field does not accept characters of this kind',
  mandatoryFill: 'a field that must be filled is not full',
  mandatoryEntry: 'a field that must be entered is empty',
  tooMuchEntered: 'the field is full',
  minusFunction: 'this is not possible now',
  untypable: 'it contains a character that the host does not support',
  unknownField: 'the position is outside the screen',
};

type PlayScript = (script: string, signal: StopSignal) => Promise<ScriptEnd>;

export class ScriptedScreen {
  readonly #conversation: Conversation;
  readonly #playScript: PlayScript;
  #seen: string | undefined;
  #sent = 0;

  constructor(conversation: Conversation, playScript: PlayScript) {
    this.#conversation = conversation;
    this.#playScript = playScript;
  }

  get sent(): number {
    return this.#sent;
  }

  get deviceName(): string | undefined {
    return this.#conversation.deviceName;
  }

  get rows(): number {
    return this.#conversation.image.rows;
  }

  get columns(): number {
    return this.#conversation.image.columns;
  }

  get cursor(): number {
    return this.#conversation.image.cursor;
  }

  get fieldCount(): number {
    return this.#conversation.image.fields.length;
  }

  get inputFieldCount(): number {
    return inputFields(this.#conversation.image).length;
  }

  get isBlank(): boolean {
    return /^ *$/.test(this.#conversation.image.text.shown);
  }

  get isUnformatted(): boolean {
    return !this.#conversation.image.formatted;
  }

  get isInhibited(): boolean {
    return this.#conversation.image.locked;
  }

  get isUnmodified(): boolean {
    return this.#seen !== undefined && this.#seen === this.#look();
  }

  noteLook(): void {
    this.#seen = this.#look();
  }

  textAt(position: number, length: number): string {
    return this.#conversation.image.text.slice(position, position + length);
  }

  fieldNameAt(position: number): string | undefined {
    const { space } = this.#conversation.screen.state;
    const field = space.fieldOf(position);
    return field === undefined || !space.canBeTypedAt(position) ? undefined : fieldIdOf(space.next(field));
  }

  write({ position, ...entry }: Omit<PositionEntry, 'address'> & { readonly position: number }): string | undefined {
    const refusal = this.#conversation.enterAt({ address: position, ...entry });
    return refusal === undefined ? undefined : refusal === 'locked' ? lockedWords : (refusals[refusal] ?? refusal);
  }

  async act(strokes: readonly Stroke[], at: number | undefined, wait: AnswerWait | undefined): Promise<ActEnd> {
    const conversation = this.#conversation;
    if (conversation.end !== undefined) return { kind: 'gone' };
    const { columns } = this;
    const refusal = conversation.act({
      ...(at === undefined ? {} : { cursor: [Math.floor(at / columns) + 1, (at % columns) + 1] }),
      type: strokes,
    });
    if (refusal?.kind === 'locked') return { kind: 'refused', reason: lockedWords };
    if (refusal?.kind === 'notThere') return { kind: 'refused', reason: refusal.differs };
    if (refusal !== undefined) return { kind: 'refused', reason: refusals[refusal.code] ?? refusal.code };
    if (wait === undefined) return { kind: 'done' };
    this.#sent++;
    return this.#answer(wait);
  }

  playScript(script: string, signal: StopSignal): Promise<ScriptEnd> {
    this.#sent++;
    return this.#playScript(script, signal);
  }

  async #answer({ text, milliseconds, quietMilliseconds, signal }: AnswerWait): Promise<ActEnd> {
    const conversation = this.#conversation;
    const shows = () => text === undefined || conversation.image.text.shown.includes(text);
    const end = await conversation.waitUntilSettled(shows, {
      withinMilliseconds: milliseconds ?? Number.POSITIVE_INFINITY,
      quietMilliseconds,
      signal,
    });
    if (end === 'hostGone') return { kind: 'gone' };
    if (end === 'timedOut') return { kind: 'timedOut' };
    return conversation.programCheck === undefined ? { kind: 'done' } : { kind: 'faulty' };
  }

  #look(): string {
    const { text, fields, columns } = this.#conversation.image;
    return JSON.stringify([columns, text.shown, fields.map(({ address, attribute }) => [address, attribute & ~1])]);
  }
}
