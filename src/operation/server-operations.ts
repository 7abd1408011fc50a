import type { Actor } from '../access/audit/audit-entry.js';
import type { AuditKind } from '../access/audit/audit-kinds.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { ServiceError } from '../lib/errors.js';
import { type Detail, publicDetail } from '../lib/locale.js';
import type { HealthCheck } from './health/health.js';
import type { ClusterLoad } from './node-load.js';

export interface OperatedServer {
  /** Rejects new sessions. The server ends after its last session or the time limit. @returns reason of a failure */
  drain(): Promise<Detail | undefined>;
  /** Drains and restarts one worker after the other; returns the reason of a failure. Undefined without supervisor. */
  readonly restart: (() => Promise<Detail | undefined>) | undefined;
}

/** Operations are recorded in the audit trail. */
export class ServerOperations {
  readonly #server: OperatedServer;
  readonly #audit: () => AuditTrail;

  constructor(server: OperatedServer, audit: () => AuditTrail) {
    this.#server = server;
    this.#audit = audit;
  }

  /** @throws ServiceError SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE */
  drain(actor: Actor): Promise<void> {
    return this.#do(actor, 'server.drained', () => this.#server.drain());
  }

  /** @throws ServiceError SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE */
  async restart(actor: Actor): Promise<void> {
    const { restart } = this.#server;
    if (restart === undefined) {
      throw new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail: { code: 'server.noSupervisor' } });
    }
    await this.#do(actor, 'server.restarted', restart);
  }

  async #do(actor: Actor, what: AuditKind, act: () => Promise<Detail | undefined>): Promise<void> {
    await this.#audit().record({ ...actor, what, subject: 'server' }, async () => {
      const detail = await act();
      if (detail !== undefined) throw new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail: publicDetail(detail) });
    });
  }
}

export interface ServerOverview {
  checks(): Promise<readonly HealthCheck[]>;
  /** Milliseconds since 1970, on the clock of `now`. */
  readonly startedAt: number;
  readonly now: number;
  load(): Promise<ClusterLoad>;
}
