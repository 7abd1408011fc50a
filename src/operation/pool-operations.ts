import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditKind } from '../access/audit/audit-kinds.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { ServiceError } from '../lib/errors.js';
import type { Reason } from '../lib/locale.js';
import { unknownName } from '../lib/text/nearest-name.js';
import type { PoolReport } from './server-figures.js';

export interface OperatedPools {
  readonly pools: readonly PoolReport[];
  /** Rejects further calls. Idle sessions sign off immediately, the others after their calls. */
  drainPool(name: string): void;
  resumePool(name: string): void;
}

/** Operations are recorded in the audit trail. */
export class PoolOperations {
  readonly #pools: OperatedPools;
  readonly #audit: () => AuditTrail;

  constructor(pools: OperatedPools, audit: () => AuditTrail) {
    this.#pools = pools;
    this.#audit = audit;
  }

  list(): readonly PoolReport[] {
    return this.#pools.pools;
  }

  /** @throws ServiceError SVC_ERR_POOL_UNKNOWN */
  report(name: string): PoolReport {
    const { pools } = this.#pools;
    const found = pools.find((pool) => pool.name === name);
    if (found !== undefined) return found;
    const written = name.slice(0, 70);
    const names = pools.map((pool) => pool.name);
    throw new ServiceError('SVC_ERR_POOL_UNKNOWN', { detail: unknownName('pool.unknown', written, names) });
  }

  whyNotDrain({ drained }: PoolReport): Reason | undefined {
    return drained ? { code: 'pool.drained' } : undefined;
  }

  whyNotResume({ drained }: PoolReport): Reason | undefined {
    return drained ? undefined : { code: 'pool.notDrained' };
  }

  /**
   * Ends the sessions of a pool. Running calls are completed, further calls are rejected.
   * @throws ServiceError SVC_ERR_POOL_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  drain(actor: Actor, name: string): Promise<PoolReport> {
    return this.#do(actor, name, 'pool.drained', (pool) => {
      refuse(this.whyNotDrain(pool));
      this.#pools.drainPool(name);
    });
  }

  /** @throws ServiceError SVC_ERR_POOL_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE */
  resume(actor: Actor, name: string): Promise<PoolReport> {
    return this.#do(actor, name, 'pool.resumed', (pool) => {
      refuse(this.whyNotResume(pool));
      this.#pools.resumePool(name);
    });
  }

  async #do(actor: Actor, name: string, what: AuditKind, act: (pool: PoolReport) => void): Promise<PoolReport> {
    const { free, lent, waiting } = this.report(name);
    const entry: AuditEntry = { ...actor, what, subject: `pool ${name}`, before: { free, lent, waiting } };
    // read again, because the state may change while the audit entry is written
    await this.#audit().record(entry, async () => act(this.report(name)));
    return this.report(name);
  }
}

function refuse(detail: Reason | undefined): void {
  if (detail !== undefined) throw new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail });
}
