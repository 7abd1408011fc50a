import { createHmac, randomBytes } from 'node:crypto';
import type { AuditEntry } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import { foldedName } from '../users/security-name.js';
import type { RefusedUser } from '../users/user-store.js';
import { MOST_SIGN_ONS, type ReplacedSignOn } from './sign-on-store.js';

export type SignOnMethod = 'form' | 'basic' | 'scenario';

interface RefusedSignOn {
  readonly address: string;
  readonly name: string;
  readonly method: SignOnMethod;
  readonly user: RefusedUser | undefined;
  /** Used if `user` is undefined. */
  readonly reason: string;
}

const MASK_DIGITS = 8;
/** Interval between two entries for the same token and address. Programs send the token with every request. */
const TOKEN_USE_MILLISECONDS = 3_600_000;
const MOST_TOKEN_USES = 2_000;

export const replacementReasons: Readonly<Record<ReplacedSignOn['bound'], string>> = {
  perUser: 'limit of the user (security.signOnsPerUser)',
  ofAll: `limit of the server (${MOST_SIGN_ONS} sign-ons)`,
};

interface SignOnAuditOptions {
  /** Called if a refusal cannot be recorded. The sign-on stays refused. */
  readonly onLost: (error: unknown) => void;
  readonly now?: () => number;
}

/**
 * Records sign-ons and sign-offs. A sign-on that cannot be recorded is refused. Refusals are recorded in the
 * background, because the response time would reveal which names exist.
 */
export class SignOnAudit {
  readonly #audit: AuditTrail;
  readonly #onLost: (error: unknown) => void;
  readonly #now: () => number;
  /** Kept only in this process. With the key, masked names could reveal a password typed into the name field. */
  readonly #maskKey = randomBytes(32);
  /** Time of the last entry, by token name and address. */
  readonly #tokenUses = new Map<string, number>();
  readonly #begunTokenUses = new Map<string, Promise<void>>();

  constructor(audit: AuditTrail, { onLost, now = () => performance.now() }: SignOnAuditOptions) {
    this.#audit = audit;
    this.#onLost = onLost;
    this.#now = now;
  }

  async signedOn(address: string, name: string, method: SignOnMethod): Promise<void> {
    const what = 'user.signedOn' as const;
    await this.#audit.note({ who: name, from: address, what, subject: `user ${name}`, after: { method } });
  }

  refused({ address, name, method, user, reason }: RefusedSignOn): void {
    // Text that is not a user name may be a password typed into the wrong field.
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

  /** Never rejects: the sign-off takes place anyway. */
  async signedOff(address: string, name: string): Promise<void> {
    const what = 'user.signedOff' as const;
    await this.#audit.note({ who: name, from: address, what, subject: `user ${name}` }).catch(this.#onLost);
  }

  /**
   * Never rejects: the sign-on has already ended.
   * @param address of the newer sign-on
   * @param by user of the newer sign-on
   */
  async replaced(address: string, by: string, { userName, bound }: ReplacedSignOn): Promise<void> {
    const what = 'user.signedOff' as const;
    const after = { reason: replacementReasons[bound] };
    await this.#audit.note({ who: by, from: address, what, subject: `user ${userName}`, after }).catch(this.#onLost);
  }

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

  /** For an unknown, revoked or expired token. */
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

  /** Runs in the background. */
  #noteRefusal(entry: AuditEntry, isOfUnknown: boolean): void {
    void this.#audit.note(entry, { isOfUnknown }).catch(this.#onLost);
  }

  #masked(name: string): string {
    return createHmac('sha256', this.#maskKey).update(foldedName(name)).digest('hex').slice(0, MASK_DIGITS);
  }
}
