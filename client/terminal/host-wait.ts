import type { Notices, ShownNotice } from './notice.js';
import { words } from './words/words.js';

/** After this time the user gets choices; the host may still be working. */
const SILENT_SECONDS = 10;
const SECOND = 1_000;

interface WaitingTerminal {
  press(name: string): void;
  announce(text: string): void;
}

export class HostWait {
  readonly #terminal: WaitingTerminal;
  readonly #notices: Notices;
  readonly #tick: () => void;
  #since: number | undefined;
  #timer: number | undefined;
  #notice: ShownNotice | undefined;
  #wasTold = false;
  #lastResponse: number | undefined;

  constructor(terminal: WaitingTerminal, notices: Notices, tick: () => void) {
    this.#terminal = terminal;
    this.#notices = notices;
    this.#tick = tick;
  }

  /** Whole seconds; undefined if not waiting. */
  get seconds(): number | undefined {
    return this.#since === undefined ? undefined : Math.floor((performance.now() - this.#since) / SECOND);
  }

  /** Milliseconds from the last attention key to an unlocked keyboard. */
  get lastResponse(): number | undefined {
    return this.#lastResponse;
  }

  /**
   * @param isWaiting the host locks the keyboard
   * @param isAnswered if not waiting: the keyboard is unlocked and nothing was lost
   */
  update(isWaiting: boolean, isAnswered: boolean): void {
    if (isWaiting) this.#begin();
    else this.#end(isAnswered);
  }

  #begin(): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#timer = window.setInterval(() => this.#second(), SECOND);
  }

  #end(isAnswered: boolean): void {
    if (this.#since === undefined) return;
    if (isAnswered) this.#lastResponse = performance.now() - this.#since;
    this.#since = undefined;
    clearInterval(this.#timer);
    this.#notice?.close();
    this.#notice = undefined;
    this.#wasTold = false;
  }

  #second(): void {
    this.#tick();
    if (this.#wasTold || (this.seconds ?? 0) < SILENT_SECONDS) return;
    this.#wasTold = true;
    this.#terminal.announce(words('host.silent'));
    this.#notice = this.#notices.show(words('host.silent'), [
      { label: words('host.wait'), run: () => undefined },
      { label: words('host.attn'), run: () => this.#terminal.press('ATTN') },
      { label: words('host.leave'), run: () => this.#terminal.press('DISCONNECT') },
    ]);
  }
}
