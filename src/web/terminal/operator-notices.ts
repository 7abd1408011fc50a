import type { SessionSupervision } from '../../sessions/session-supervision.js';
import type { ServerMessage } from '../../terminal/protocol/server-message.js';

/** Nobody watches, nobody traces. */
const NOBODY = JSON.stringify([[], []]);

/** What one page of a session has been told of operators. */
export class OperatorNotices {
  readonly #supervision: SessionSupervision;
  readonly #send: (message: ServerMessage) => void;
  #lastMessage = 0;
  #watching = NOBODY;

  constructor(supervision: SessionSupervision, send: (message: ServerMessage) => void) {
    this.#supervision = supervision;
    this.#send = send;
  }

  /** Tells what is new. */
  tell(): void {
    const { messages, watchedBy, tracedBy } = this.#supervision;
    for (const { number, from, text } of messages) {
      if (number <= this.#lastMessage) continue;
      this.#lastMessage = number;
      this.#send({ k: 'n', i: number, b: from, m: text });
    }
    const watching = JSON.stringify([watchedBy, tracedBy]);
    if (watching === this.#watching) return;
    this.#watching = watching;
    this.#send({ k: 'v', b: namesOf(watchedBy), t: namesOf(tracedBy) });
  }
}

function namesOf(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}
