import type { KeyOutcome } from '../../../../src/keyboard/keyboard-terminal.js';
import { type Instruction, instructionOf } from '../../../../src/macro/instruction.js';
import { LONGEST_STEP_NAME, type Macro, type MacroStep, MOST_STEPS } from '../../../../src/macro/macro-set.js';
import type { ScreenTexts } from '../../../../src/macro/screen-step.js';
import { operatorErrorWords } from '../../model/operator-error-words.js';
import type { HiddenField, PlayedTerminal } from './played-terminal.js';
import { missingTexts, pictureText } from './screen-identity.js';
import { stepExpectation } from './step-expectation.js';
import { isAttentionStep, keyOfStep } from './step-keys.js';

interface PlayerPort {
  /** @returns what is to be typed into a field that is not displayed; undefined where the user would not */
  ask(question: string, field: HiddenField, over: AbortSignal): Promise<string | undefined>;
  progress(step: number, steps: number): void;
}

/** Why a macro was not played to its end. */
export interface PlayStop {
  /** From 1. */
  readonly step: number;
  readonly reason: string;
  /** Where the screen or the keyboard was another than the step takes for granted: what it was to be, and where. */
  readonly expected?: string;
  /** Where another screen came than the one that was recorded. */
  readonly otherScreen?: OtherScreen;
}

export interface OtherScreen {
  /** What stands on the recorded one, and not on this. */
  readonly missing: ScreenTexts;
  /** The screen that came, as text. */
  readonly picture: string;
}

const ANSWER_MILLISECONDS = 30_000;
/** For a host that frees the keyboard before it has written all of a screen. */
const SCREEN_MILLISECONDS = 1_000;
/** After which the page is shown, and has its turn. */
const TURN_MILLISECONDS = 16;

class StoppedError extends Error {
  readonly expected: string | undefined;
  readonly otherScreen: OtherScreen | undefined;

  constructor(reason: string, expected?: string, otherScreen?: OtherScreen) {
    super(reason);
    this.expected = expected;
    this.otherScreen = otherScreen;
  }
}

/**
 * Plays a macro step by step: each one when the keyboard is free, and after a key for the host when the server and the host
 * have answered it.
 */
export class MacroPlayer {
  readonly #terminal: PlayedTerminal;
  readonly #port: PlayerPort;
  readonly #answerMilliseconds: number;
  readonly #screenMilliseconds: number;
  readonly #over = new AbortController();
  #stopReason: string | undefined;
  #wake: (() => void) | undefined;
  #turnBegan = 0;
  #copied: readonly string[] | undefined;
  /** What the step under way takes for granted. */
  #expectation = '';
  /** The screen that steps are for, up to the next key for the host; undefined: whatever is there. */
  #screen: ScreenTexts | undefined;

  constructor(
    terminal: PlayedTerminal,
    port: PlayerPort,
    answerMilliseconds = ANSWER_MILLISECONDS,
    screenMilliseconds = SCREEN_MILLISECONDS,
  ) {
    this.#terminal = terminal;
    this.#port = port;
    this.#answerMilliseconds = answerMilliseconds;
    this.#screenMilliseconds = screenMilliseconds;
  }

  /** @returns undefined where it was played to its end; a player plays once */
  async play({ def }: Macro): Promise<PlayStop | undefined> {
    let at = 0;
    this.#turnBegan = performance.now();
    try {
      if (def.length > MOST_STEPS) this.#refuse(`it has more than ${MOST_STEPS} steps`);
      for (const step of def) {
        at++;
        this.#expectation = stepExpectation(step);
        this.#port.progress(at, def.length);
        await this.#untilFree(step === 'Reset');
        if (typeof step === 'object' && step.screen !== undefined) this.#screen = step.screen;
        if (step !== 'Reset') await this.#untilOnScreen();
        await this.#perform(step);
        if (typeof step === 'string' && isAttentionStep(step)) this.#screen = undefined;
        await this.#giveTurn();
      }
      this.#expectation = 'an answer that frees the keyboard';
      // what ends the session may be the last step
      await this.#untilFree(false, true);
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof StoppedError)) throw thrown;
      const { message: reason, expected, otherScreen } = thrown;
      return { step: at, reason, ...(expected && { expected }), ...(otherScreen && { otherScreen }) };
    } finally {
      this.#over.abort();
      this.#copied = undefined;
      this.#terminal.show();
    }
  }

  /** The terminal has changed. */
  notice(): void {
    this.#wake?.();
  }

  stop(reason: string): void {
    this.#stopReason ??= reason;
    this.#over.abort();
    this.#wake?.();
  }

  #refuse(reason: string): never {
    throw new StoppedError(reason);
  }

  /** The terminal is not as the step takes it for granted. */
  #miss(reason: string): never {
    const { cursor, columns } = this.#terminal;
    const place = `row ${Math.floor(cursor / columns) + 1}, column ${(cursor % columns) + 1}`;
    throw new StoppedError(reason, `${this.#expectation}, at ${place}`);
  }

  async #perform(step: MacroStep): Promise<void> {
    if (typeof step === 'number') {
      await this.#type(String.fromCodePoint(step));
    } else if (typeof step === 'object') {
      await (step.prompt === undefined ? this.#type(step.txt) : this.#fillByQuestion(step.prompt));
    } else {
      const instruction = instructionOf(step);
      const key = keyOfStep(step);
      if (instruction !== undefined) this.#follow(instruction);
      else if (key !== undefined) this.#press(key);
      else this.#refuse(`there is no key or instruction ${step.slice(0, LONGEST_STEP_NAME)}`);
    }
  }

  #press(key: string): void {
    const outcome = this.#terminal.press(key);
    this.#expect(outcome ?? 'dropped');
  }

  async #type(text: string): Promise<void> {
    for (const character of text) {
      // a field that tells the host when it is left may have locked the keyboard
      if (this.#terminal.lock !== 0) await this.#untilFree();
      this.#expect(this.#terminal.type(character));
      await this.#giveTurn();
    }
  }

  #follow(instruction: Instruction): void {
    const { rows, columns } = this.#terminal;
    if (instruction.does === 'copy') {
      const { startRow, startColumn, endRow, endColumn } = instruction;
      const isOnScreen = (row: number, column: number) => row >= 1 && row <= rows && column >= 1 && column <= columns;
      if (!isOnScreen(startRow, startColumn) || !isOnScreen(endRow, endColumn)) this.#refuseBeyond('copy');
      const position = (row: number, column: number) => (row - 1) * columns + column - 1;
      const text = this.#terminal.copy(position(startRow, startColumn), position(endRow, endColumn));
      this.#copied = text.split('\n');
      return;
    }
    const { position } = instruction;
    if (position >= rows * columns) this.#refuseBeyond(instruction.does);
    if (instruction.does === 'paste' && this.#copied === undefined) this.#refuse('nothing was copied before');
    this.#expect(this.#terminal.move(position));
    if (instruction.does === 'move') return;
    const width = Math.min(instruction.columns ?? columns, columns - (position % columns));
    const lines = (this.#copied ?? []).slice(0, instruction.rows).map((line) => [...line].slice(0, width).join(''));
    if (!this.#terminal.hasRoomFor(lines)) this.#miss('nothing can be typed where a part of it would stand');
    this.#expect(this.#terminal.paste(lines.join('\n')));
  }

  #refuseBeyond(what: string): never {
    this.#refuse(`${what} reaches beyond the screen`);
  }

  /** The answer replaces what the field holds; the cursor stays in it, wherever its end would lead to. */
  async #fillByQuestion(question: string): Promise<void> {
    const asked = this.#terminal.hiddenField;
    if (asked === undefined) this.#miss('the cursor is not in a field that hides what is typed, so nothing was asked');
    this.#terminal.show();
    const answer = await this.#port.ask(question, asked, this.#over.signal);
    if (answer === undefined) {
      this.#look();
      this.#refuse('the question was not answered');
    }
    await this.#untilFree();
    await this.#untilOnScreen();
    const terminal = this.#terminal;
    const field = terminal.hiddenField;
    if (field?.start !== asked.start || field.length !== asked.length) {
      this.#refuse('the host has changed the screen during the question');
    }
    if ([...answer].length > field.length) this.#refuse('the answer is longer than the field');
    this.#expect(terminal.move(field.start));
    this.#press('EraseEOF');
    await this.#type(answer);
    if (terminal.hiddenField?.start !== field.start && terminal.lock === 0) {
      this.#expect(terminal.move(field.start + field.length - 1));
    }
  }

  #expect(outcome: KeyOutcome): void {
    if (outcome === 'done') return;
    this.#look();
    this.#miss(outcome === 'dropped' || outcome === 'typedAhead' ? 'the keyboard was locked' : this.#words(outcome));
  }

  #words(operatorError: string): string {
    const words = operatorErrorWords(operatorError)[1];
    return words.charAt(0).toLowerCase() + words.slice(1);
  }

  /** Ends it where somebody has stopped it, or there is nothing to play on. */
  #look(): void {
    const reason = this.#stopReason ?? this.#terminal.breach;
    if (reason !== undefined) this.#refuse(reason);
  }

  async #untilFree(isReset = false, isLast = false): Promise<void> {
    const terminal = this.#terminal;
    const end = performance.now() + this.#answerMilliseconds;
    for (;;) {
      if (isLast && this.#stopReason === undefined && terminal.breach !== undefined) return;
      this.#look();
      const { lock, isAwaitingServer } = terminal;
      if (typeof lock === 'string') {
        if (isReset) return;
        this.#miss(this.#words(lock));
      }
      if (lock === 0 && !isAwaitingServer) return;
      const left = end - performance.now();
      if (left <= 0) {
        this.#miss(`the host did not free the keyboard within ${Math.round(this.#answerMilliseconds / 1000)} seconds`);
      }
      terminal.show();
      await this.#change(left);
      this.#turnBegan = performance.now();
    }
  }

  /** Nothing is typed on a screen, and no key pressed on it, that is another than the recorded one. */
  async #untilOnScreen(): Promise<void> {
    const screen = this.#screen;
    if (screen === undefined) return;
    const end = performance.now() + this.#screenMilliseconds;
    for (;;) {
      const { picture } = this.#terminal;
      const missing = missingTexts(screen, picture);
      const [first] = missing;
      if (first === undefined) return;
      const left = end - performance.now();
      if (left <= 0) {
        const expected = `a screen with ${JSON.stringify(first.text)} in row ${first.row}, column ${first.column}`;
        throw new StoppedError('another screen came', expected, { missing, picture: pictureText(picture) });
      }
      this.#terminal.show();
      await this.#change(left);
      await this.#untilFree();
    }
  }

  #change(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      this.#wake = finish;
    });
  }

  async #giveTurn(): Promise<void> {
    if (performance.now() - this.#turnBegan < TURN_MILLISECONDS) return;
    this.#terminal.show();
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#look();
    this.#turnBegan = performance.now();
  }
}
