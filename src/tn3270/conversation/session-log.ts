import { type Detail, detailText } from '../../lib/locale.js';
import type { Log } from '../../lib/log/log.js';
import { PacedLines } from '../../lib/log/paced-lines.js';
import type { Conversation } from './conversation.js';

interface SessionLogFacts {
  readonly kind: 'browser' | 'scenario' | 'pool';
  /** User signed on to Sallyport; for a pool, the user at the host. */
  readonly user: string;
  readonly line?: string;
  readonly transaction?: string;
  readonly pool?: string;
  readonly host: string;
  readonly remoteAddress?: string;
}

const LONGEST_RECORD_LOGGED = 2_048;

/**
 * Logs the beginning and the end of host sessions, so that it is known which user had which logical unit at which time.
 */
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

  get subject(): object {
    const { line, transaction, pool, remoteAddress } = this.#facts;
    return withoutNothing({ session: this.#conversation.id, line, transaction, pool, remoteAddress });
  }

  /** To be called when the host has agreed on a terminal, and again when it assigns another logical unit. */
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
      // the record may contain non-displayable data: log it only at level trace
      const hex = Buffer.from(record.subarray(0, LONGEST_RECORD_LOGGED)).toString('hex');
      this.#log.trace({ ...this.subject, record: hex }, 'the faulty record');
    });
  }

  silent(reason: Detail): void {
    this.#log.error({ ...this.#fields, reason: detailText(reason, 'en') }, 'the host sends nothing');
  }

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
