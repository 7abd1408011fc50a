import { createHmac, randomBytes } from 'node:crypto';
import type { AuditEntry } from '../audit/audit-entry.js';
import type { AuditRecord } from '../audit/audit-record.js';
import type { RefusedUser } from '../users/security-database.js';
import { foldedName } from '../users/security-name.js';
import { MOST_SIGN_ONS, type ReplacedSignOn } from './sign-on-store.js';

/** How somebody signs on. */
export type SignOnMethod = 'form' | 'basic' | 'scenario';

/** A sign-on that was refused. */
interface RefusedSignOn {
  readonly address: string;
  /** As it was typed. */
  readonly name: string;
  readonly method: SignOnMethod;
  /** Undefined: there is no such user, or nobody has looked. */
  readonly user: RefusedUser | undefined;
  /** Why, where that says nothing of a user. */
  readonly reason: string;
}

const MASK_DIGITS = 8;
/** How often it is put on record that a token is used from an address: programs send it with every request. */
const TOKEN_USE_MILLISECONDS = 3_600_000;
const MOST_TOKEN_USES = 2_000;

/** Why a newer sign-on has replaced the oldest, for the audit trail and the log. */
export const replacementReasons: Readonly<Record<ReplacedSignOn['bound'], string>> = {
  perUser: 'limit of the user (security.signOnsPerUser)',
  ofAll: `limit of the server (${MOST_SIGN_ONS} sign-ons)`,
};

interface SignOnAuditOptions {
  /** Refusals that cannot be put on record; whoever was refused stays so. */
  readonly onLost: (error: unknown) => void;
  /** Of a clock that nobody sets. */
  readonly now?: () => number;
}

/**
 * Puts sign-ons and sign-offs on record. A sign-on that cannot be put there is not done. Refusals are counted where there are
 * many, as all entries are, and nobody waits for them: the time would say which names there are.
 */
export class SignOnAudit {
  readonly #audit: AuditRecord;
  readonly #onLost: (error: unknown) => void;
  readonly #now: () => number;
  /** Of this process alone: with it nobody can try which password was typed as a name. */
  readonly #maskKey = randomBytes(32);
  /** When it was put on record, by name of token and address. */
  readonly #tokenUses = new Map<string, number>();
  /** Those that are being put on record. */
  readonly #begunTokenUses = new Map<string, Promise<void>>();

  constructor(audit: AuditRecord, { onLost, now = () => performance.now() }: SignOnAuditOptions) {
    this.#audit = audit;
    this.#onLost = onLost;
    this.#now = now;
  }

  /** @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE */
  async signedOn(address: string, name: string, method: SignOnMethod): Promise<void> {
    const what = 'user.signedOn' as const;
    await this.#audit.note({ who: name, from: address, what, subject: `user ${name}`, after: { method } });
  }

  refused({ address, name, method, user, reason }: RefusedSignOn): void {
    // what is no name of a user may be a password that was typed a field too early
    const who = user?.name ?? `unknown user ${this.#masked(name)}`;
    this.#noteRefusal(
      {
        who,
        from: address,
        what: 'user.signOnRefused',
        subject: user === undefined ? who : `user ${who}`,
        after: { method, reason: user?.reason ?? reason },
      },
      user === undefined,
    );
  }

  /** Rejects never: a sign-off is done in any case. */
  async signedOff(address: string, name: string): Promise<void> {
    const what = 'user.signedOff' as const;
    await this.#audit.note({ who: name, from: address, what, subject: `user ${name}` }).catch(this.#onLost);
  }

  /**
   * A newer sign-on has replaced the oldest. Never rejects, because the sign-on has ended already.
   * @param address of the newer sign-on
   * @param by name of its user
   */
  async replaced(address: string, by: string, { userName, bound }: ReplacedSignOn): Promise<void> {
    const what = 'user.signedOff' as const;
    const after = { reason: replacementReasons[bound] };
    await this.#audit.note({ who: by, from: address, what, subject: `user ${userName}`, after }).catch(this.#onLost);
  }

  /**
   * A program has come with a token that is good.
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE
   */
  async tokenUsed(address: string, name: string): Promise<void> {
    const key = `${name}\0${address}`;
    const last = this.#tokenUses.get(key);
    if (last !== undefined && this.#now() - last < TOKEN_USE_MILLISECONDS) return;
    const begun = this.#begunTokenUses.get(key);
    if (begun !== undefined) return begun;
    const noted = this.#noteTokenUse(key, address, name).finally(() => this.#begunTokenUses.delete(key));
    this.#begunTokenUses.set(key, noted);
    return noted;
  }

  async #noteTokenUse(key: string, address: string, name: string): Promise<void> {
    const now = this.#now();
    const who = `token ${name}`;
    await this.#audit.note({ who, from: address, what: 'token.used', subject: who });
    this.#tokenUses.delete(key);
    this.#tokenUses.set(key, now);
    for (const oldest of this.#tokenUses.keys()) {
      if (this.#tokenUses.size <= MOST_TOKEN_USES) break;
      this.#tokenUses.delete(oldest);
    }
  }

  /** A program has come with a token that is none, or none any more. */
  tokenRefused(address: string): void {
    const who = 'unknown program';
    this.#noteRefusal(
      {
        who,
        from: address,
        what: 'token.refused',
        subject: 'unknown token',
        after: { reason: 'unknown' },
      },
      true,
    );
  }

  /** Nobody waits for it. */
  #noteRefusal(entry: AuditEntry, isOfUnknown: boolean): void {
    void this.#audit.note(entry, { isOfUnknown }).catch(this.#onLost);
  }

  #masked(name: string): string {
    return createHmac('sha256', this.#maskKey).update(foldedName(name)).digest('hex').slice(0, MASK_DIGITS);
  }
}
