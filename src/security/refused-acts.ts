import type { Actor } from './audit-entry.js';
import type { AuditRecord } from './audit-record.js';

const WINDOW_MILLISECONDS = 60_000;
/** Acts of one user, or program, of a minute with an entry of their own. */
export const MOST_RECORDED_ACTS = 10;

interface Counted {
  readonly actor: Actor;
  recorded: number;
  /** After those, not recorded. */
  more: number;
}

/**
 * Puts on record who has tried what their role or token does not allow: the first ones of a minute each, the others as a number
 * at its end. Nobody fills the trail with what they may not do.
 */
export class RefusedActs {
  readonly #audit: AuditRecord;
  readonly #onLost: (error: unknown) => void;
  /** By who it was. */
  readonly #counted = new Map<string, Counted>();
  #timer: NodeJS.Timeout | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(audit: AuditRecord, onLost: (error: unknown) => void) {
    this.#audit = audit;
    this.#onLost = onLost;
  }

  /** @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE */
  async note(actor: Actor, subject: string, after: object): Promise<void> {
    this.#timer ??= setTimeout(() => this.#close(), WINDOW_MILLISECONDS).unref();
    const { who } = actor;
    const counted = this.#counted.get(who) ?? { actor, recorded: 0, more: 0 };
    this.#counted.set(who, counted);
    if (counted.recorded >= MOST_RECORDED_ACTS) {
      counted.more++;
      return;
    }
    counted.recorded++;
    await this.#audit.note({ ...actor, what: 'operation.refused', subject, after });
  }

  /** Puts on record what was only counted yet. */
  async stop(): Promise<void> {
    this.#close();
    await this.#closing;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const left = [...this.#counted.values()].filter(({ more }) => more > 0);
    this.#counted.clear();
    const noted = left.map(({ actor, more }) =>
      this.#audit
        .note({ ...actor, what: 'operation.refused', subject: 'further requests', after: { more } })
        .catch(this.#onLost),
    );
    this.#closing = Promise.all([this.#closing, ...noted]).then(() => {});
  }
}
