import { LONGEST_STEP_TEXT, type Macro, MOST_STEPS } from '../../../../src/macros/macro-set.js';
import {
  asMeant,
  type IfStep,
  type MacroStep,
  type ObjectStep,
  type RepeatStep,
  USUAL_EXPECT_SECONDS,
} from '../../../../src/macros/macro-step.js';
import { linesOfStep } from '../../../../src/macros/step-text.js';
import type { LookAnswer, LookQuestion } from '../../../../src/terminal/protocol/server-message.js';
import { readTextPieces } from '../../../../src/tn3270/keyboard/text-pieces.js';
import type { ScreenChoice } from '../../../../src/tn3270/screen/screen-condition.js';
import { words } from '../../words/words.js';
import { HostJudgement } from './host-judgement.js';
import { type PlayStop, StopError } from './macro-stop.js';
import type { HiddenField, PlayedTerminal } from './played-terminal.js';
import { stepExpectation } from './step-expectation.js';
import { StepPlayer } from './step-player.js';

export type StepDecision = 'playOne' | 'playOn' | 'stop';

interface PlayerPort {
  /**
   * @param field hidden field that the answer is for; undefined if the answer becomes a variable
   * @returns undefined if the user cancels
   */
  ask(question: string, field: HiddenField | undefined, over: AbortSignal): Promise<string | undefined>;
  progress(step: number, steps: number): void;
  look(question: LookQuestion): Promise<LookAnswer>;
  /** Shows the next step and waits for a decision; undefined if not played step by step. */
  readonly next?: ((line: string, step: number, over: AbortSignal) => Promise<StepDecision>) | undefined;
}

const ANSWER_MILLISECONDS = 30_000;
const SCREEN_MILLISECONDS = 1_000;
/** Limit that also ends nested loops. */
const MOST_PLAYED_STEPS = 100_000;

/** Continues from unsent input of the page, and sends what the user would send. */
export class MacroPlayer {
  readonly #port: PlayerPort;
  readonly #terminal: PlayedTerminal;
  readonly #judgement: HostJudgement;
  readonly #hand: StepPlayer;
  readonly #over = new AbortController();
  readonly #variables = new Map<string, string>();
  #isStepped: boolean;
  #at = 0;
  #steps = 0;
  #played = 0;
  #expectation = '';

  constructor(
    terminal: PlayedTerminal,
    port: PlayerPort,
    answerMilliseconds = ANSWER_MILLISECONDS,
    screenMilliseconds = SCREEN_MILLISECONDS,
  ) {
    this.#port = port;
    this.#terminal = terminal;
    this.#isStepped = port.next !== undefined;
    const judged = { look: (question: LookQuestion) => port.look(question), expectation: () => this.#expectation };
    this.#judgement = new HostJudgement(terminal, judged, { answerMilliseconds, screenMilliseconds });
    this.#hand = new StepPlayer(terminal, this.#judgement);
  }

  /** Screens on which attention keys may be pressed now. */
  get screens(): ScreenChoice | undefined {
    return this.#judgement.screens;
  }

  /** @returns undefined if played to the end; a player plays only once */
  async play({ def }: Macro): Promise<PlayStop | undefined> {
    try {
      this.#steps = countOf(def);
      if (this.#steps > MOST_STEPS) throw new StopError(words('play.tooManySteps', { most: MOST_STEPS }));
      await this.#playAll(def, 1);
      this.#expectation = words('play.answer');
      await this.#judgement.over();
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof StopError)) throw thrown;
      const { message: reason, expected, otherScreen } = thrown;
      return { step: this.#at, reason, ...(expected && { expected }), ...(otherScreen && { otherScreen }) };
    } finally {
      this.#over.abort();
      this.#variables.clear();
      this.#terminal.show();
    }
  }

  notice(): void {
    this.#judgement.notice();
  }

  stop(reason: string): void {
    this.#judgement.stop(reason);
    this.#over.abort();
  }

  /** The server rejected a key because the current screen is none of `screens`. */
  refused(): void {
    this.#judgement.refused();
  }

  async #playAll(steps: readonly MacroStep[], first: number): Promise<void> {
    let number = first;
    for (const step of steps) {
      this.#at = number;
      // not after a step: the last one may have ended the session
      this.#judgement.check();
      if (++this.#played > MOST_PLAYED_STEPS) {
        throw new StopError(words('play.tooManyPlayed', { most: MOST_PLAYED_STEPS }));
      }
      this.#expectation = stepExpectation(step);
      this.#port.progress(number, this.#steps);
      if (this.#isStepped) await this.#waitForUser(step);
      await this.#play(step, number);
      await this.#hand.giveTurn();
      number += countOf([step]);
    }
  }

  async #waitForUser(step: MacroStep): Promise<void> {
    await this.#judgement.ready(step === 'Reset');
    this.#terminal.show();
    const decision = await this.#port.next?.(linesOfStep(step)[0] ?? '', this.#at, this.#over.signal);
    if (decision === 'stop') this.#judgement.stop(words('play.stopped'));
    if (decision === 'playOn') this.#isStepped = false;
    this.#judgement.check();
  }

  async #play(step: MacroStep, number: number): Promise<void> {
    if (typeof step === 'object') {
      await this.#playObject(asMeant(step), number);
      return;
    }
    await this.#judgement.ready(step === 'Reset');
    if (typeof step === 'number') await this.#hand.type(String.fromCodePoint(step));
    else this.#hand.perform(step);
  }

  async #playObject(step: ObjectStep, number: number): Promise<void> {
    if ('if' in step) return this.#playBranch(step, number);
    if ('repeat' in step) return this.#playLoop(step, number);
    if ('wait' in step) return this.#wait([[step.wait]], step.within);
    if ('screen' in step) this.#judgement.guard([step.screen]);
    if ('expect' in step) this.#judgement.guard(step.expect, (step.within ?? USUAL_EXPECT_SECONDS) * 1000);
    await this.#judgement.ready();
    if ('prompt' in step) {
      const ask = (question: string, field: HiddenField) => this.#port.ask(question, field, this.#over.signal);
      await this.#hand.fillByQuestion(step.prompt, ask);
    } else if ('ask' in step) {
      const answer = await this.#port.ask(step.ask, undefined, this.#over.signal);
      this.#judgement.check();
      if (answer === undefined) throw new StopError(words('play.notAnswered'));
      this.#variables.set(step.variable, answer);
    } else if ('read' in step) {
      const text = await this.#judgement.read(step.read);
      if (text === undefined) throw new StopError(words('play.beyond', { what: 'read' }));
      this.#variables.set(step.variable, text);
    } else await this.#hand.type('type' in step ? this.#filledIn(step.type) : step.txt);
  }

  async #wait(screens: ScreenChoice, seconds: number): Promise<void> {
    if (await this.#judgement.comes(screens, seconds * 1000)) return;
    this.#judgement.check();
    this.#judgement.missScreens(screens, [[0]], words('play.textMissing', { count: seconds }));
  }

  async #playBranch(step: IfStep, number: number): Promise<void> {
    const { kind } = await this.#judgement.which(step.if);
    if (kind === 'done') await this.#playAll(step.steps, number + 1);
    else await this.#playAll(step.else ?? [], number + 1 + countOf(step.steps));
  }

  async #playLoop({ repeat, until, steps }: RepeatStep, number: number): Promise<void> {
    for (let round = 0; ; round++) {
      this.#at = number;
      const seen = until === undefined ? undefined : await this.#judgement.which(until);
      if (seen?.kind === 'done') return;
      if (round === repeat) {
        if (until === undefined || seen === undefined) return;
        this.#judgement.missScreens(until, seen.missing, words('play.loopEnd', { count: repeat }));
      }
      await this.#playAll(steps, number + 1);
      await this.#hand.giveTurn();
      // an empty loop counts as a step
      if (steps.length === 0) return;
    }
  }

  #filledIn(text: string): string {
    const pieces = readTextPieces(text);
    if (pieces.kind === 'fault') throw new StopError(words('play.braces'));
    let filled = '';
    for (const piece of pieces.value) {
      filled += piece.kind === 'text' ? piece.text : this.#valueOf(piece.name);
      if (filled.length > LONGEST_STEP_TEXT) throw new StopError(words('play.textTooLong'));
    }
    return filled;
  }

  #valueOf(name: string): string {
    const value = this.#variables.get(name);
    if (value === undefined) throw new StopError(words('play.unset', { name }));
    return value;
  }
}

/** Number of steps, including nested ones, as lines in the editor without `else` and `end`. */
function countOf(steps: readonly MacroStep[]): number {
  let count = 0;
  for (const step of steps) {
    count++;
    if (typeof step !== 'object' || step.txt !== '') continue;
    if ('if' in step) count += countOf(step.steps) + countOf(step.else ?? []);
    else if ('repeat' in step) count += countOf(step.steps);
  }
  return count;
}
