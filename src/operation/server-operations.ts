import type { Actor } from '../access/audit/audit-entry.js';
import type { AuditKind } from '../access/audit/audit-kinds.js';
import type { AuditRecord } from '../access/audit/audit-record.js';
import { ServiceError } from '../lib/errors.js';
import type { ClusterLoad } from './node-load.js';

/** The server as a whole, as it is operated. */
export interface OperatedServer {
  /**
   * No new sessions; it ends when the last one has ended, or the time for that is over.
   * @returns why that is not done, in a sentence; undefined: it is
   */
  drain(): Promise<string | undefined>;
  /** Its workers are drained and started anew, one after the other, or why not; undefined: there is no supervisor that could. */
  readonly restart: (() => Promise<string | undefined>) | undefined;
}

/** What operators do with the server as a whole; all of it is put on record. */
export class ServerOperations {
  readonly #server: OperatedServer;
  readonly #audit: () => AuditRecord;

  constructor(server: OperatedServer, audit: () => AuditRecord) {
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
      const detail =
        'Only the workers of a supervisor can be restarted (the key processes): drain the server, and start it again.';
      throw new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail });
    }
    await this.#do(actor, 'server.restarted', restart);
  }

  async #do(actor: Actor, what: AuditKind, act: () => Promise<string | undefined>): Promise<void> {
    await this.#audit().record({ ...actor, what, subject: 'server' }, async () => {
      const detail = await act();
      if (detail !== undefined) throw new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail });
    });
  }
}

/** Something that must hold for the server to be well. */
export interface CheckReport {
  readonly name: string;
  readonly status: 'UP' | 'DOWN';
  /** What is wrong, in words. */
  readonly detail?: string;
}

/** The server as a whole: whether it is well, and how much it does, with the others of its cluster. */
export interface ServerOverview {
  /** Asked anew, within seconds. */
  checks(): Promise<readonly CheckReport[]>;
  /** When it was started: milliseconds since 1970, on the clock of `now`. */
  readonly startedAt: number;
  readonly now: number;
  /** The others are asked anew, within seconds. */
  load(): Promise<ClusterLoad>;
}
