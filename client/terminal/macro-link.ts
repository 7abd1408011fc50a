import type { PageMessage } from '../../src/terminal/protocol/page-message.js';
import type {
  LookAnswer,
  LookedMessage,
  LookQuestion,
  PlayingMessage,
} from '../../src/terminal/protocol/server-message.js';

interface MacroLinkPort {
  /** Does nothing without a connection. */
  send(message: PageMessage): void;
  page(): number | undefined;
  /** A macro is playing on another page of the session; undefined when it has ended. */
  playedElsewhere(name: string | undefined): void;
}

export class MacroLink {
  readonly #port: MacroLinkPort;
  #number = 0;
  #asked: ((answer: LookAnswer) => void) | undefined;
  #begins: ((taken: string | undefined) => void) | undefined;

  constructor(port: MacroLinkPort) {
    this.#port = port;
  }

  /** @returns the name of a macro that is playing on another page; undefined if this one may start */
  begin(name: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#begins = resolve;
      this.#port.send({ k: 'm', n: name });
    });
  }

  end(): void {
    this.#asked = undefined;
    this.#port.send({ k: 'm' });
  }

  /** One question at a time: a new question cancels the previous one. */
  look({ hostMilliseconds: w, screenMilliseconds: t, screens: s, read: v }: LookQuestion): Promise<LookAnswer> {
    return new Promise((resolve) => {
      this.#asked = resolve;
      this.#port.send({ k: 'x', i: ++this.#number, w, t, s, v });
    });
  }

  take(message: LookedMessage | PlayingMessage): void {
    if (message.k === 'x') {
      if (message.i === this.#number) this.#asked?.(answerOf(message));
      return;
    }
    const isOurs = message.p !== undefined && message.p === this.#port.page();
    this.#begins?.(isOurs ? undefined : message.n);
    this.#begins = undefined;
    this.#port.playedElsewhere(isOurs ? undefined : message.n);
  }

  /** The connection is lost: pending questions fail. */
  lost(): void {
    this.#begins?.(undefined);
    this.#begins = undefined;
    this.#port.playedElsewhere(undefined);
  }
}

function answerOf({ e: kind, s: screen, d: missing = [], v: text }: LookedMessage): LookAnswer {
  if (kind === 'done') return { kind, screen, text };
  return kind === 'otherScreen' ? { kind, missing } : { kind };
}
