import type { TimeMessage } from '../../src/terminal/protocol/server-message.js';
import type { Notices, ShownNotice } from './notice.js';
import { tellSessionState } from './session-state.js';
import { words } from './words/words.js';

const SECOND = 1_000;
/** From here on the user is told; of short times from the half of them on. */
const TOLD_SECONDS = 120;
/** When the words are said aloud again. */
const SAID_SECONDS: readonly number[] = [60, 30, 10];
/** The longest that a timer can take. */
const LONGEST_MILLISECONDS = 0x7fff_ffff;

interface ToldTerminal {
  readonly notices: Notices;
  announce(text: string): void;
}

/** Tells before an unused session ends, and counts down. Any key, any click and the button of the notice stay. */
export class IdleTime {
  readonly #terminal: ToldTerminal;
  readonly #ask: (isUserThere: boolean) => void;
  #timer: number | undefined;
  #notice: ShownNotice | undefined;
  #title = '';
  /** When the session ends (`performance.now()`). */
  #end = 0;

  /** @param ask the server, and where the user is there has the time begin anew */
  constructor(terminal: ToldTerminal, ask: (isUserThere: boolean) => void) {
    this.#terminal = terminal;
    this.#ask = ask;
    for (const type of ['keydown', 'pointerdown']) {
      document.addEventListener(
        type,
        () => {
          if (this.#notice !== undefined) this.#ask(true);
        },
        true,
      );
    }
  }

  /** What the server says. */
  told({ s: left, n: whole }: TimeMessage): void {
    clearTimeout(this.#timer);
    if (left === undefined) {
      this.close();
      return;
    }
    const told = Math.min(TOLD_SECONDS, Math.floor((whole ?? left) / 2));
    if (left > told) {
      this.close();
      // somebody may have used the session meanwhile: then the answer is another one
      const wait = Math.min((left - told) * SECOND, LONGEST_MILLISECONDS);
      this.#timer = window.setTimeout(() => this.#ask(false), wait);
      return;
    }
    this.#end = performance.now() + left * SECOND;
    this.#count(true);
  }

  /** There is nothing to count any more. */
  close(): void {
    clearTimeout(this.#timer);
    if (this.#notice === undefined) return;
    this.#notice.close();
    this.#notice = undefined;
    document.title = this.#title;
    tellSessionState('alive');
  }

  #count(isFirst = false): void {
    const left = Math.max(0, Math.ceil((this.#end - performance.now()) / SECOND));
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    const text = words('idle.soon', { time });
    if (this.#notice === undefined) {
      this.#title = document.title;
      const stay = { label: words('idle.stay'), run: () => this.#ask(true) };
      this.#notice = this.#terminal.notices.show(text, [stay]);
      tellSessionState('ending');
    } else {
      this.#notice.say(text);
    }
    document.title = `${time} ${this.#title}`;
    if (isFirst || SAID_SECONDS.includes(left)) this.#terminal.announce(text);
    // the server ends it, and says so
    if (left > 0) this.#timer = window.setTimeout(() => this.#count(), SECOND);
  }
}
