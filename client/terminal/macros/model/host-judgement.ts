import type { LookAnswer, LookQuestion } from '../../../../src/terminal/protocol/server-message.js';
import type { Area, ScreenChoice } from '../../../../src/tn3270/screen/screen-condition.js';
import { words } from '../../words/words.js';
import { conditionWords, operatorErrorReason } from './condition-words.js';
import { StopError } from './macro-stop.js';
import type { PlayedTerminal } from './played-terminal.js';
import { pictureText } from './screen-identity.js';

interface JudgementTimes {
  /** For the host to free the keyboard. */
  readonly answerMilliseconds: number;
  /** For a host that frees the keyboard before it has written all of a recorded screen. */
  readonly screenMilliseconds: number;
}

interface JudgementPort {
  /** Asks the server about the host. */
  look(question: LookQuestion): Promise<LookAnswer>;
  /** What the step under way takes for granted. */
  expectation(): string;
}

/** What the steps up to the next key for the host are for. */
interface Guard {
  readonly screens: ScreenChoice;
  readonly milliseconds: number;
}

/**
 * What the server says of the host: whether it has answered, and with which screen. The page does not judge that by itself, and
 * waits for nothing but these answers.
 */
export class HostJudgement {
  readonly #terminal: PlayedTerminal;
  readonly #port: JudgementPort;
  readonly #times: JudgementTimes;
  #stopReason: string | undefined;
  #wake: (() => void) | undefined;
  #guard: Guard | undefined;
  /** Of the last key for the host. */
  #lastGuard: Guard | undefined;
  /** What was judged last: it counts as long as nothing has changed. */
  #judged: { readonly revision: number | undefined; readonly guard: Guard | undefined } | undefined;
  #wasRefused = false;

  constructor(terminal: PlayedTerminal, port: JudgementPort, times: JudgementTimes) {
    this.#terminal = terminal;
    this.#port = port;
    this.#times = times;
  }

  /** The screens on which keys may be pressed; undefined: on any. */
  get screens(): ScreenChoice | undefined {
    return this.#guard?.screens;
  }

  /** From here on, up to the next key for the host. @param milliseconds for one of them to come */
  guard(screens: ScreenChoice, milliseconds = this.#times.screenMilliseconds): void {
    this.#guard = { screens, milliseconds };
  }

  /** A key went to the host. */
  sent(): void {
    this.#lastGuard = this.#guard;
    this.#guard = undefined;
    this.#judged = undefined;
  }

  /** The terminal has changed. */
  notice(): void {
    this.#wake?.();
  }

  stop(reason: string): void {
    this.#stopReason ??= reason;
    this.#wake?.();
  }

  /** The server did not press a key: another screen was there than the key was meant for. */
  refused(): void {
    this.#wasRefused = true;
    this.#guard = this.#lastGuard;
    this.#judged = undefined;
    this.#wake?.();
  }

  /** @throws StopError where somebody has stopped it, or there is nothing to play on */
  check(): void {
    const reason = this.#stopReason ?? this.#terminal.breach;
    if (reason !== undefined) throw new StopError(reason);
  }

  /** The terminal is not as the step takes it for granted. */
  miss(reason: string): never {
    const { cursor, columns } = this.#terminal;
    const place = { row: Math.floor(cursor / columns) + 1, column: (cursor % columns) + 1 };
    throw new StopError(reason, words('play.at', { expectation: this.#port.expectation(), ...place }));
  }

  /**
   * Resolves when the host has answered, with a screen that the next step may act on.
   * @param isReset the step may begin with an operator error
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
      // it has judged a screen that has not been shown yet: what comes is told
      if (isJudged) await this.#change();
      else await this.#judge(guard);
    }
  }

  /** Resolves when the last key has its answer. It may have ended the session. @throws StopError */
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

  /** Which of several screens is there now; where it is none of them, what is missing on them. @throws StopError */
  async which(screens: ScreenChoice): Promise<Extract<LookAnswer, { kind: 'done' | 'otherScreen' }>> {
    const answer = await this.#askReady({ ...this.#hostTime, screens, screenMilliseconds: 0 });
    return answer.kind === 'done' || answer.kind === 'otherScreen' ? answer : this.#stopFor(answer);
  }

  /** Waits for a screen that a host puts up by itself, the keyboard locked or not. @returns whether it came */
  async comes(screens: ScreenChoice, milliseconds: number): Promise<boolean> {
    const answer = await this.#ask({ screens, screenMilliseconds: milliseconds });
    if (answer.kind === 'otherScreen' || answer.kind === 'timedOut') return false;
    return answer.kind === 'done' ? true : this.#stopFor(answer);
  }

  /** What is displayed in an area, its rows side by side; undefined where the screen has no such place. @throws StopError */
  async read(area: Area): Promise<string | undefined> {
    const answer = await this.#askReady({ ...this.#hostTime, read: area });
    if (answer.kind !== 'done') return this.#stopFor(answer);
    return answer.text
      ?.split('\n')
      .map((line) => line.trim())
      .join(' ')
      .trim();
  }

  /** Another screen is there than one of these. */
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
    // the screen was another one when the key was to be pressed, and is the right one again: the key was not
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
   * `interrupted`: the page itself knows why there is nothing to wait for: an error of the operator, a key that was refused.
   * @throws StopError where it is stopped meanwhile
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
