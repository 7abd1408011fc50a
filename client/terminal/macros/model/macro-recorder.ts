import { LONGEST_STEP_TEXT, MOST_STEPS } from '../../../../src/macros/macro-set.js';
import { isMove, type MacroStep, moveTo, type ScreenTexts } from '../../../../src/macros/macro-step.js';
import type { CursorPlace, PerformedAction } from '../../model/performed-action.js';
import { isAttentionStep, stepOfKey } from './step-keys.js';

/** Keys that move through the positions of a field: the result depends on the content. */
const goesStepByStep: ReadonlySet<string> = new Set(['Left', 'Right', 'Bksp', 'Backtab']);
/** Keys without a macro step, and the steps that replace them at their destination. */
const inOtherSteps: Readonly<Record<string, readonly string[]>> = {
  Erase: ['Del'],
  DeleteField: ['ErEof'],
  NextWord: [],
  PreviousWord: [],
};
/** Keys that affect more than the field. */
const concernsAll: ReadonlySet<string> = new Set(['InsToogle', 'Reset', 'ErInput']);

/**
 * Turns user actions into steps. Text for hidden fields never gets here: it becomes a question. Later actions inside
 * such a field are left out, as they would reveal the length of the answer.
 */
export class MacroRecorder {
  readonly #labelOf: (field: number) => string;
  readonly #steps: MacroStep[] = [];
  readonly #asked = new Set<number>();
  readonly #screenOf: (typed: readonly string[]) => ScreenTexts | undefined;
  #hasAttentionKey = false;
  /** Screen of the steps since the last attention key; undefined without steps, or if no text identifies the screen. */
  #screen: ScreenTexts | undefined;
  #isBegun = false;
  /** Texts typed before that screen. */
  #typed: readonly string[] = [];

  /**
   * @param labelOf label of a field by the address of its attribute
   * @param screenOf texts that identify the current screen, without typed texts
   */
  constructor(labelOf: (field: number) => string, screenOf: (typed: readonly string[]) => ScreenTexts | undefined) {
    this.#labelOf = labelOf;
    this.#screenOf = screenOf;
  }

  get steps(): readonly MacroStep[] {
    return this.#steps;
  }

  get typed(): readonly string[] {
    return this.#isBegun ? this.#typed : this.#texts;
  }

  get #texts(): readonly string[] {
    return this.#steps.flatMap((step) => (typeof step === 'object' ? [step.txt] : []));
  }

  get hasAttentionKey(): boolean {
    return this.#hasAttentionKey;
  }

  get isFull(): boolean {
    return this.#steps.length >= MOST_STEPS;
  }

  performed({ action, from, to, isRefused, goesToNextField }: PerformedAction): void {
    if (!this.#isBegun) this.#lookAtScreen();
    if (isRefused) {
      if (to.position !== from.position) this.#move(to);
    } else if (action.did === 'moved') {
      if (!this.#isAsked(from) || from.field !== to.field) this.#move(to);
    } else if (action.did === 'pressed') {
      this.#press(action.key, from, to);
    } else if (action.character === undefined || from.isHidden) {
      this.#ask(from);
      // the hidden field was full: Tab does not reveal its length
      if (from.field !== to.field) goesToNextField ? this.#add('Tab') : this.#move(to);
    } else {
      this.#type(action.character);
    }
  }

  /** An attention key sent without the screen. */
  sent(key: string): void {
    this.#attention(stepOfKey(key));
  }

  #press(key: string, from: CursorPlace, to: CursorPlace): void {
    const step = stepOfKey(key);
    if (step === undefined) {
      this.#pressOther(key, from, to);
      return;
    }
    if (isAttentionStep(step)) {
      this.#attention(step);
      return;
    }
    if (step === 'ErInput') this.#asked.clear();
    if (this.#isAsked(from) && !concernsAll.has(step)) {
      if (from.field === to.field) return;
      if (goesStepByStep.has(step)) {
        this.#move(to);
        return;
      }
    }
    this.#add(step);
  }

  #pressOther(key: string, from: CursorPlace, to: CursorPlace): void {
    const steps = Object.hasOwn(inOtherSteps, key) ? inOtherSteps[key] : undefined;
    const hasMoved = from.position !== to.position;
    if (steps === undefined || (this.#isAsked(from) && from.field === to.field)) return;
    // at the start of a field nothing is deleted
    if (key === 'Erase' && !hasMoved) return;
    if (hasMoved) this.#move(to);
    for (const step of steps) this.#add(step);
  }

  #attention(step: string | undefined): void {
    if (step === undefined || this.isFull) return;
    // the screen may have changed since its first step
    this.#lookAtScreen();
    this.#add(step);
    this.#isBegun = false;
    this.#screen = undefined;
    this.#asked.clear();
    this.#hasAttentionKey = true;
  }

  #lookAtScreen(): void {
    // texts typed on the current screen are in its input fields
    if (!this.#isBegun) this.#typed = this.#texts;
    const screen = this.#screenOf(this.#typed);
    const isKnown = JSON.stringify(screen) === JSON.stringify(this.#screen);
    this.#isBegun = true;
    this.#screen = screen;
    if (screen !== undefined && !isKnown) this.#add({ txt: '', screen });
  }

  #isAsked({ field, isHidden }: CursorPlace): boolean {
    return isHidden && field !== undefined && this.#asked.has(field);
  }

  #ask({ field }: CursorPlace): void {
    if (field === undefined || this.#asked.has(field)) return;
    this.#asked.add(field);
    this.#add({ txt: '', prompt: this.#labelOf(field) });
  }

  #type(character: string): void {
    const last = this.#steps.at(-1);
    const isText = typeof last === 'object' && !('prompt' in last) && !('screen' in last);
    if (!isText || last.txt.length + character.length > LONGEST_STEP_TEXT) this.#add({ txt: character });
    else this.#steps[this.#steps.length - 1] = { txt: last.txt + character };
  }

  #move({ position, start, isHidden }: CursorPlace): void {
    if (isMove(this.#steps.at(-1))) this.#steps.pop();
    this.#add(moveTo(isHidden ? start : position));
  }

  #add(step: MacroStep): void {
    if (!this.isFull) this.#steps.push(step);
  }
}
