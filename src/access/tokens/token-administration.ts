import { type Reason, reasonText } from '../../lib/locale.js';
import type { Actor } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import { refusedChange } from '../users/security-change.js';
import { isSecurityName, securityNameReason } from '../users/security-name.js';
import { newToken, tokenHash } from './bearer-tokens.js';
import type { RecordTokenChange, TokenRecord, TokenStore } from './token-store.js';

export const MOST_SCOPES = 100;
const SCOPE = /^(?:services|services:[A-Za-z][A-Za-z0-9_-]{0,63}|sessions|screens|operation|tracing)$/;

const scopeReason: Reason = { code: 'rule.scope' };
/** In English, for commands. */
export const scopeRule = reasonText(scopeReason, 'en');

function isScope(text: string): boolean {
  return SCOPE.test(text);
}

export function mayCall(scopes: readonly string[], service: string): boolean {
  return scopes.includes('services') || scopes.includes(`services:${service}`);
}

const DAY_MILLISECONDS = 86_400_000;
export const LONGEST_TOKEN_DAYS = 3_650;
export const DEFAULT_TOKEN_DAYS = 90;

interface NewToken {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly days: number;
}

export interface ListedToken extends TokenRecord {
  readonly isExpired: boolean;
}

/**
 * Operations on tokens for commands and the portal. A change that cannot be recorded is not made.
 * Changes throw ServiceError SVC_ERR_SECURITY_CHANGE and SVC_ERR_AUDIT_UNAVAILABLE.
 */
export class TokenAdministration {
  readonly #store: TokenStore;
  readonly #audit: AuditTrail;
  readonly #now: () => number;

  constructor(store: TokenStore, audit: AuditTrail, now: () => number = Date.now) {
    this.#store = store;
    this.#audit = audit;
    this.#now = now;
  }

  async list(): Promise<readonly ListedToken[]> {
    const tokens = await this.#store.list();
    return tokens.map((token) => ({ ...token, isExpired: Date.parse(token.expires) <= this.#now() }));
  }

  /** @returns the token. Only its hash is stored. */
  async add(actor: Actor, { name, scopes, days }: NewToken): Promise<string> {
    if (!isSecurityName(name)) throw refusedChange('token.name', { name: name.slice(0, 70), rule: securityNameReason });
    if (scopes.length === 0) throw refusedChange('token.noScope', { rule: scopeReason });
    if (scopes.length > MOST_SCOPES) throw refusedChange('token.scopes', { most: MOST_SCOPES });
    const wrong = scopes.find((scope) => !isScope(scope));
    if (wrong !== undefined) throw refusedChange('token.scope', { scope: wrong.slice(0, 80), rule: scopeReason });
    if (!Number.isSafeInteger(days) || days < 1 || days > LONGEST_TOKEN_DAYS) {
      throw refusedChange('token.days', { most: LONGEST_TOKEN_DAYS });
    }
    const token = newToken();
    const now = this.#now();
    const record: TokenRecord = {
      name,
      hash: tokenHash(token),
      scopes: [...new Set(scopes)],
      created: new Date(now).toISOString(),
      expires: new Date(now + days * DAY_MILLISECONDS).toISOString(),
      lastUsed: undefined,
    };
    await this.#store.add(record, this.#recording(actor, 'token.added'));
    return token;
  }

  async revoke(actor: Actor, name: string): Promise<void> {
    await this.#store.remove(name, this.#recording(actor, 'token.revoked'));
  }

  #recording(actor: Actor, what: 'token.added' | 'token.revoked'): RecordTokenChange {
    return ({ before, after }, make) => {
      const subject = `token ${(after ?? before)?.name ?? ''}`;
      return this.#audit.record({ ...actor, what, subject, before, after }, make);
    };
  }
}
