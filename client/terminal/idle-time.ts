import type { TimeMessage } from '../../src/terminal/protocol/server-message.js';
import type { Notices, ShownNotice } from './notice.js';
import { tellSessionState } from './session-state.js';
import { words } from './words/words.js';

const SECOND = 1_000;
/** Warn this many seconds before the end; for shorter timeouts, from half the timeout on. */
const TOLD_SECONDS = 120;
const SAID_SECONDS: readonly number[] = [60, 30, 10];
const LONGEST_MILLISECONDS = 0x7fff_ffff;

interface ToldTerminal {
  readonly notices: Notices;
  announce(text: string): void;
}

/**
 * Warns with a countdown before an idle session ends. Any key, any click and the button of the notice keep the session.
 */
export class IdleTime {
  readonly #terminal: ToldTerminal;
  readonly #ask: (isUserThere: boolean) => void;
  #timer: number | undefined;
  #notice: ShownNotice | undefined;
  #title = '';
  /** Time of the end (`performance.now()`). */
  #end = 0;

  /** @param ask requests the remaining time from the server; `true` resets it */
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

  told({ s: left, n: whole }: TimeMessage): void {
    clearTimeout(this.#timer);
    if (left === undefined) {
      this.close();
      return;
    }
    const told = Math.min(TOLD_SECONDS, Math.floor((whole ?? left) / 2));
    if (left > told) {
      this.close();
      // the session may have been used on another page: ask again
      const wait = Math.min((left - told) * SECOND, LONGEST_MILLISECONDS);
      this.#timer = window.setTimeout(() => this.#ask(false), wait);
      return;
    }
    this.#end = performance.now() + left * SECOND;
    this.#count(true);
  }

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
    // at 0 the server ends the session and sends a message
    if (left > 0) this.#timer = window.setTimeout(() => this.#count(), SECOND);
  }
}
