import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditKind } from '../access/audit/audit-kinds.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { ServiceError } from '../lib/errors.js';
import type { PublicDetail, Reason } from '../lib/locale.js';
import { messageOf } from '../lib/text/messages.js';
import { unknownName } from '../lib/text/nearest-name.js';

/** `draining`: listens, but starts no sessions. `opening`: retries to listen. `failed`: cannot listen, no retries. */
export type LineReportState = 'listening' | 'draining' | 'opening' | 'closing' | 'stopped' | 'failed';

/** The admin API sends it as JSON (docs/run/operation.md). */
export interface LineReport {
  readonly name: string;
  readonly externalName: string;
  readonly url: string;
  readonly entryPoint: string;
  readonly state: LineReportState;
  readonly connections: number;
  readonly sessions: number;
  /** Since the line was created: requests accepted, and requests rejected by the line itself. */
  readonly requests: number;
  readonly refused: number;
  readonly portal: boolean;
  /** Reason of the last failed attempt to listen; ISO 8601. */
  readonly lastFault: { readonly at: string; readonly reason: string } | undefined;
  /** Of listening lines with TLS: expiry of the active certificate (ISO 8601), fault of the current files. */
  readonly certificate: { readonly expires: string; readonly fault: string | undefined } | undefined;
}

export interface OperatedLines {
  readonly reports: readonly LineReport[];
  /** Opens the line, or ends a drain. Resolves when it listens or keeps retrying. @throws Error if it cannot open */
  startLine(name: string): Promise<void>;
  /** Starts to close the line. Running requests are completed; sessions end as on a server stop. */
  stopLine(name: string): void;
  drainLine(name: string): void;
}

/** Operations are recorded in the audit trail. */
export class LineOperations {
  readonly #lines: OperatedLines;
  readonly #audit: () => AuditTrail;

  constructor(lines: OperatedLines, audit: () => AuditTrail) {
    this.#lines = lines;
    this.#audit = audit;
  }

  list(): readonly LineReport[] {
    return this.#lines.reports;
  }

  /** @throws ServiceError SVC_ERR_LINE_UNKNOWN */
  report(name: string): LineReport {
    const { reports } = this.#lines;
    const found = reports.find((line) => line.name === name);
    if (found !== undefined) return found;
    const names = reports.map((line) => line.name);
    throw new ServiceError('SVC_ERR_LINE_UNKNOWN', { detail: unknownName('line.unknown', name.slice(0, 70), names) });
  }

  whyNotStart({ state }: LineReport): Reason | undefined {
    if (state === 'listening') return { code: 'line.open' };
    if (state === 'opening') return { code: 'line.opening' };
    if (state === 'closing') return { code: 'line.closing' };
    return undefined;
  }

  /** The last open portal line must not be stopped: operators could not start it again. */
  whyNotStop({ name, state, portal }: LineReport): Reason | undefined {
    if (state === 'stopped' || state === 'failed') return { code: 'line.closed' };
    if (state === 'closing') return { code: 'line.closingAlready' };
    const isOpen = (line: LineReport) => line.state === 'listening' || line.state === 'draining';
    const hasOther = this.#lines.reports.some((line) => line.portal && line.name !== name && isOpen(line));
    if (portal && !hasOther) return { code: 'line.lastPortal' };
    return undefined;
  }

  whyNotDrain({ state }: LineReport): Reason | undefined {
    if (state === 'draining') return { code: 'line.drained' };
    return state === 'listening' ? undefined : { code: 'line.closed' };
  }

  /**
   * Opens a stopped or failed line, or ends a drain.
   * @returns report, with state `opening` if the line keeps retrying
   * @throws ServiceError SVC_ERR_LINE_UNKNOWN, SVC_ERR_LINE_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  start(actor: Actor, name: string): Promise<LineReport> {
    return this.#do(actor, name, 'line.started', async (line) => {
      refuse(this.whyNotStart(line));
      try {
        await this.#lines.startLine(name);
      } catch (error) {
        refuse({ foreign: messageOf(error) });
      }
    });
  }

  /**
   * Closes a line and ends its sessions. It stays closed until it or the server is started.
   * @returns report, with state `closing` until all sessions have ended
   * @throws ServiceError SVC_ERR_LINE_UNKNOWN, SVC_ERR_LINE_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  stop(actor: Actor, name: string): Promise<LineReport> {
    return this.#do(actor, name, 'line.stopped', async (line) => {
      refuse(this.whyNotStop(line));
      this.#lines.stopLine(name);
    });
  }

  /**
   * Stops new sessions on a line; existing sessions continue.
   * @throws ServiceError SVC_ERR_LINE_UNKNOWN, SVC_ERR_LINE_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  drain(actor: Actor, name: string): Promise<LineReport> {
    return this.#do(actor, name, 'line.drained', async (line) => {
      refuse(this.whyNotDrain(line));
      this.#lines.drainLine(name);
    });
  }

  async #do(
    actor: Actor,
    name: string,
    what: AuditKind,
    act: (line: LineReport) => Promise<void>,
  ): Promise<LineReport> {
    const { state, sessions } = this.report(name);
    const entry: AuditEntry = { ...actor, what, subject: name, before: { state, sessions } };
    // read again, because the state may change while the audit entry is written
    await this.#audit().record(entry, async () => act(this.report(name)));
    return this.report(name);
  }
}

function refuse(detail: PublicDetail | undefined): void {
  if (detail !== undefined) throw new ServiceError('SVC_ERR_LINE_REFUSED', { detail });
}
