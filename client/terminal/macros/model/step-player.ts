import { LONGEST_STEP_NAME } from '../../../../src/macros/macro-set.js';
import { type Instruction, instructionOf } from '../../../../src/macros/macro-step.js';
import type { KeyOutcome } from '../../../../src/tn3270/keyboard/keyboard-terminal.js';
import { words } from '../../words/words.js';
import { operatorErrorReason } from './condition-words.js';
import type { HostJudgement } from './host-judgement.js';
import { StopError } from './macro-stop.js';
import type { HiddenField, PlayedTerminal } from './played-terminal.js';
import { isAttentionStep, keyOfStep } from './step-keys.js';

type AskHidden = (question: string, field: HiddenField) => Promise<string | undefined>;

/** Time after which playing yields to the browser for painting. */
const TURN_MILLISECONDS = 16;

export class StepPlayer {
  readonly #terminal: PlayedTerminal;
  readonly #judgement: HostJudgement;
  #turnBegan = performance.now();
  #copied: readonly string[] | undefined;

  constructor(terminal: PlayedTerminal, judgement: HostJudgement) {
    this.#terminal = terminal;
    this.#judgement = judgement;
  }

  /** A key or an instruction, by its name. @throws StopError */
  perform(step: string): void {
    const instruction = instructionOf(step);
    const key = keyOfStep(step);
    if (instruction !== undefined) this.#follow(instruction);
    else if (key === undefined) {
      throw new StopError(words('play.unknownStep', { step: step.slice(0, LONGEST_STEP_NAME) }));
    } else {
      this.#press(key);
      if (isAttentionStep(step)) this.#judgement.sent();
    }
  }

  /** @throws StopError */
  async type(text: string): Promise<void> {
    for (const character of text) {
      // a trigger field may have locked the keyboard
      if (this.#terminal.lock !== 0) await this.#judgement.ready();
      this.#expect(this.#terminal.type(character));
      await this.giveTurn();
      this.#judgement.check();
    }
  }

  /** Replaces the content of the field; the cursor stays in the field even if it becomes full. @throws StopError */
  async fillByQuestion(question: string, ask: AskHidden): Promise<void> {
    const asked = this.#terminal.hiddenField;
    if (asked === undefined) this.#judgement.miss(words('play.notHiding'));
    this.#terminal.show();
    const answer = await ask(question, asked);
    if (answer === undefined) {
      this.#judgement.check();
      throw new StopError(words('play.notAnswered'));
    }
    await this.#judgement.ready();
    const terminal = this.#terminal;
    const field = terminal.hiddenField;
    if (field?.start !== asked.start || field.length !== asked.length) {
      throw new StopError(words('play.changed'));
    }
    if ([...answer].length > field.length) throw new StopError(words('play.tooLong'));
    this.#expect(terminal.move(field.start));
    this.#press('EraseEOF');
    await this.type(answer);
    if (terminal.hiddenField?.start !== field.start && terminal.lock === 0) {
      this.#expect(terminal.move(field.start + field.length - 1));
    }
  }

  async giveTurn(): Promise<void> {
    if (performance.now() - this.#turnBegan < TURN_MILLISECONDS) return;
    this.#terminal.show();
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#turnBegan = performance.now();
  }

  #press(key: string): void {
    const outcome = this.#terminal.press(key);
    this.#expect(outcome ?? 'dropped');
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
    if (instruction.does === 'paste' && this.#copied === undefined) {
      throw new StopError(words('play.nothingCopied'));
    }
    this.#expect(this.#terminal.move(position));
    if (instruction.does === 'move') return;
    const width = Math.min(instruction.columns ?? columns, columns - (position % columns));
    const lines = (this.#copied ?? []).slice(0, instruction.rows).map((line) => [...line].slice(0, width).join(''));
    if (!this.#terminal.hasRoomFor(lines)) this.#judgement.miss(words('play.noPlace'));
    this.#expect(this.#terminal.paste(lines.join('\n')));
  }

  #refuseBeyond(what: string): never {
    throw new StopError(words('play.beyond', { what }));
  }

  #expect(outcome: KeyOutcome): void {
    if (outcome === 'done') return;
    this.#judgement.check();
    const isLocked = outcome === 'dropped' || outcome === 'typedAhead';
    this.#judgement.miss(isLocked ? words('play.locked') : operatorErrorReason(outcome));
  }
}
