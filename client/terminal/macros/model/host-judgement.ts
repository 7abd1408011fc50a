import type { LookAnswer, LookQuestion } from '../../../../src/terminal/protocol/server-message.js';
import type { Area, ScreenChoice } from '../../../../src/tn3270/screen/screen-condition.js';
import { words } from '../../words/words.js';
import { conditionWords, operatorErrorReason } from './condition-words.js';
import { StopError } from './macro-stop.js';
import type { PlayedTerminal } from './played-terminal.js';
import { pictureText } from './screen-identity.js';

interface JudgementTimes {
  readonly answerMilliseconds: number;
  /** For hosts that unlock the keyboard before the whole recorded screen is written. */
  readonly screenMilliseconds: number;
}

interface JudgementPort {
  look(question: LookQuestion): Promise<LookAnswer>;
  expectation(): string;
}

/** Screens expected up to the next attention key. */
interface Guard {
  readonly screens: ScreenChoice;
  readonly milliseconds: number;
}

/** Relies only on the server's reports of the host: whether it has answered, and with which screen. */
export class HostJudgement {
  readonly #terminal: PlayedTerminal;
  readonly #port: JudgementPort;
  readonly #times: JudgementTimes;
  #stopReason: string | undefined;
  #wake: (() => void) | undefined;
  #guard: Guard | undefined;
  #lastGuard: Guard | undefined;
  /** Last result; valid until the screen or the guard changes. */
  #judged: { readonly revision: number | undefined; readonly guard: Guard | undefined } | undefined;
  #wasRefused = false;

  constructor(terminal: PlayedTerminal, port: JudgementPort, times: JudgementTimes) {
    this.#terminal = terminal;
    this.#port = port;
    this.#times = times;
  }

  /** Screens on which keys may be pressed; undefined for any screen. */
  get screens(): ScreenChoice | undefined {
    return this.#guard?.screens;
  }

  /** Applies up to the next attention key. @param milliseconds time for one of the screens to appear */
  guard(screens: ScreenChoice, milliseconds = this.#times.screenMilliseconds): void {
    this.#guard = { screens, milliseconds };
  }

  sent(): void {
    this.#lastGuard = this.#guard;
    this.#guard = undefined;
    this.#judged = undefined;
  }

  notice(): void {
    this.#wake?.();
  }

  stop(reason: string): void {
    this.#stopReason ??= reason;
    this.#wake?.();
  }

  refused(): void {
    this.#wasRefused = true;
    this.#guard = this.#lastGuard;
    this.#judged = undefined;
    this.#wake?.();
  }

  /** @throws StopError if the macro was stopped or the session has ended */
  check(): void {
    const reason = this.#stopReason ?? this.#terminal.breach;
    if (reason !== undefined) throw new StopError(reason);
  }

  miss(reason: string): never {
    const { cursor, columns } = this.#terminal;
    const place = { row: Math.floor(cursor / columns) + 1, column: (cursor % columns) + 1 };
    throw new StopError(reason, words('play.at', { expectation: this.#port.expectation(), ...place }));
  }

  /**
   * Resolves when the host has answered with an expected screen.
   * @param isReset the step may start with an operator error
   * @throws StopError
   */
  async ready(isReset = false): Promise<void> {
    const terminal = this.#terminal;
    for (;;) {
      this.check();
      const { lock, revision } = terminal;
      if (typeof lock === 'string') {
        if (isReset) return;
        this.miss(operatorErrorReason(lock));
      }
      const guard = isReset ? undefined : this.#guard;
      const judged = this.#judged;
      const isJudged = judged !== undefined && judged.revision === revision && judged.guard === guard;
      if (isJudged && lock === 0) return;
      terminal.show();
      // the server has judged a screen that the page has not received yet
      if (isJudged) await this.#change();
      else await this.#judge(guard);
    }
  }

  /** Resolves when the last key is answered, even if the session has ended. @throws StopError */
  async over(): Promise<void> {
    for (;;) {
      if (this.#stopReason === undefined && this.#terminal.breach !== undefined) return;
      this.check();
      try {
        await this.ready();
        return;
      } catch (thrown) {
        if (this.#stopReason !== undefined || this.#terminal.breach === undefined) throw thrown;
      }
    }
  }

  /** Finds the current screen among several, or the texts that are missing. @throws StopError */
  async which(screens: ScreenChoice): Promise<Extract<LookAnswer, { kind: 'done' | 'otherScreen' }>> {
    const answer = await this.#askReady({ ...this.#hostTime, screens, screenMilliseconds: 0 });
    return answer.kind === 'done' || answer.kind === 'otherScreen' ? answer : this.#stopFor(answer);
  }

  /** Waits for a screen that the host sends by itself, with the keyboard locked or not. @returns true if it appeared */
  async comes(screens: ScreenChoice, milliseconds: number): Promise<boolean> {
    const answer = await this.#ask({ screens, screenMilliseconds: milliseconds });
    if (answer.kind === 'otherScreen' || answer.kind === 'timedOut') return false;
    return answer.kind === 'done' ? true : this.#stopFor(answer);
  }

  /** Displayed text of an area, its rows joined; undefined if the area is outside the screen. @throws StopError */
  async read(area: Area): Promise<string | undefined> {
    const answer = await this.#askReady({ ...this.#hostTime, read: area });
    if (answer.kind !== 'done') return this.#stopFor(answer);
    return answer.text
      ?.split('\n')
      .map((line) => line.trim())
      .join(' ')
      .trim();
  }

  missScreens(
    screens: ScreenChoice,
    missing: readonly (readonly number[])[],
    reason = words('play.otherScreen'),
  ): never {
    const lists = screens.map((conditions, at) => (missing[at] ?? []).flatMap((index) => conditions[index] ?? []));
    const firsts = lists.flatMap(([first]) => (first === undefined ? [] : [conditionWords(first, JSON.stringify)]));
    const expected = words('play.screen', { what: firsts.join(words('play.or')) });
    throw new StopError(reason, expected, { missing: lists, picture: pictureText(this.#terminal.picture) });
  }

  async #judge(guard: Guard | undefined): Promise<void> {
    const wasRefused = this.#wasRefused;
    const screenMilliseconds = wasRefused ? 0 : guard?.milliseconds;
    const question = { ...this.#hostTime, screens: guard?.screens, screenMilliseconds };
    const answer = await this.#ask(question);
    if (answer.kind === 'interrupted') return;
    if (answer.kind === 'otherScreen' && guard !== undefined) this.missScreens(guard.screens, answer.missing);
    // the screen differed when the key was pressed and is correct again, but the key was not sent
    if (wasRefused) throw new StopError(words('play.screenChanged'));
    if (answer.kind !== 'done') this.#stopFor(answer);
    this.#judged = { revision: this.#terminal.revision, guard };
  }

  get #hostTime() {
    return { hostMilliseconds: this.#times.answerMilliseconds };
  }

  #stopFor({ kind }: LookAnswer | { readonly kind: 'interrupted' }): never {
    this.check();
    const { lock } = this.#terminal;
    if (typeof lock === 'string') this.miss(operatorErrorReason(lock));
    if (kind === 'over') throw new StopError(words('play.overTime'));
    return this.miss(words('play.notFreed', { seconds: Math.round(this.#times.answerMilliseconds / 1000) }));
  }

  async #askReady(question: LookQuestion): Promise<LookAnswer> {
    for (;;) {
      await this.ready();
      const answer = await this.#ask(question);
      if (answer.kind !== 'interrupted') return answer;
    }
  }

  /**
   * `interrupted`: waiting is useless because of an operator error or a rejected key.
   * @throws StopError if the macro is stopped
   */
  async #ask(question: LookQuestion): Promise<LookAnswer | { readonly kind: 'interrupted' }> {
    this.check();
    let answer: LookAnswer | undefined;
    const { lock } = this.#terminal;
    const wasRefused = this.#wasRefused;
    void this.#port.look(question).then((given) => {
      answer = given;
      this.#wake?.();
    });
    for (;;) {
      await this.#change();
      if (answer !== undefined) return answer;
      this.check();
      const isLocked = typeof this.#terminal.lock === 'string' && this.#terminal.lock !== lock;
      if (isLocked || this.#wasRefused !== wasRefused) return { kind: 'interrupted' };
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
