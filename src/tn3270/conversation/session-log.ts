import type { Log } from '../../lib/log/log.js';
import { PacedLines } from '../../lib/log/paced-lines.js';
import type { Conversation } from './conversation.js';

/** What the log says of a session from its beginning to its end; what does not apply is left out. */
interface SessionLogFacts {
  /** Who has it: a browser, a scenario that walks it for requests, a pool of services. */
  readonly kind: 'browser' | 'scenario' | 'pool';
  /** Who has signed on to Sallyport; of a pool: at the host. */
  readonly user: string;
  readonly line?: string;
  readonly transaction?: string;
  readonly pool?: string;
  readonly host: string;
  /** Of the client that began it. */
  readonly remoteAddress?: string;
}

const LONGEST_RECORD_LOGGED = 2_048;

/** Writes to the log when a session with a host begins and ends, so that it can be said who was on which logical unit, and when. */
export class SessionLog {
  readonly #log: Log;
  readonly #conversation: Conversation;
  readonly #facts: SessionLogFacts;
  readonly #since = performance.now();
  readonly #units = new PacedLines();
  readonly #faults = new PacedLines();
  #hasBegun = false;

  constructor(log: Log, conversation: Conversation, facts: SessionLogFacts) {
    this.#log = log;
    this.#conversation = conversation;
    this.#facts = facts;
  }

  /** What every line about the session says. */
  get subject(): object {
    const { line, transaction, pool, remoteAddress } = this.#facts;
    return withoutNothing({ session: this.#conversation.id, line, transaction, pool, remoteAddress });
  }

  /** The host has agreed on a terminal, and may have said which logical unit it is; it may say another one later. */
  reached(): void {
    if (this.#hasBegun) {
      this.#units.say((leftOut) =>
        this.#log.info(withoutNothing({ ...this.#fields, leftOut }), 'session has another logical unit'),
      );
    } else this.#begin();
  }

  faulty(reason: string, record: Uint8Array): void {
    this.#faults.say((leftOut) => {
      const facts = withoutNothing({ reason, bytes: record.length, leftOut });
      this.#log.warn({ ...this.subject, ...facts }, 'the host sent a faulty record');
      // what the host sends may be what it hides from the screen: only who traces is shown it
      const hex = Buffer.from(record.subarray(0, LONGEST_RECORD_LOGGED)).toString('hex');
      this.#log.trace({ ...this.subject, record: hex }, 'the faulty record');
    });
  }

  /** The host has sent nothing yet. */
  silent(reason: string): void {
    this.#log.error({ ...this.#fields, reason }, 'the host says nothing');
  }

  /** @param end a word for why it ended */
  ended(end: string, detail: string | undefined): void {
    if (!this.#hasBegun) this.#begin();
    const { received, sent } = this.#conversation.traffic;
    const traffic = { bytesFromHost: received, bytesToHost: sent };
    const milliseconds = Math.round(performance.now() - this.#since);
    const leftOut = this.#faults.leftOut + this.#units.leftOut || undefined;
    this.#log.info(
      withoutNothing({ ...this.#fields, milliseconds, ...traffic, end, detail, leftOut }),
      'session ended',
    );
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#log.info(this.#fields, 'session began');
  }

  get #fields(): object {
    const { kind, user, host } = this.#facts;
    const lu = this.#conversation.deviceName;
    return withoutNothing({ ...this.subject, kind, user, host, lu });
  }
}

function withoutNothing(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}
