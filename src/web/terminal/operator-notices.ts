import type { ServerMessage } from '../../screen-protocol/server-message.js';
import type { SessionSupervision } from '../../session/session-supervision.js';

/** What one page of a session has been told of operators. */
export class OperatorNotices {
  readonly #supervision: SessionSupervision;
  readonly #send: (message: ServerMessage) => void;
  #lastMessage = 0;
  #watchedBy = '';

  constructor(supervision: SessionSupervision, send: (message: ServerMessage) => void) {
    this.#supervision = supervision;
    this.#send = send;
  }

  /** Tells what is new. */
  tell(): void {
    const { messages, watchedBy } = this.#supervision;
    for (const { number, from, text } of messages) {
      if (number <= this.#lastMessage) continue;
      this.#lastMessage = number;
      this.#send({ k: 'n', i: number, b: from, m: text });
    }
    const watchers = watchedBy.join('\n');
    if (watchers === this.#watchedBy) return;
    this.#watchedBy = watchers;
    this.#send({ k: 'v', b: watchedBy.length === 0 ? undefined : watchedBy });
  }
}
