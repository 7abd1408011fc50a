import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditKind } from '../access/audit/audit-kinds.js';
import type { AuditRecord } from '../access/audit/audit-record.js';
import { ServiceError } from '../lib/errors.js';
import { messageOf } from '../lib/text/messages.js';
import { didYouMean } from '../lib/text/nearest-name.js';

/**
 * `draining`: it listens, and begins no sessions. `opening`: it cannot listen yet, and goes on trying. `failed`: it cannot listen,
 * and trying again is of no use. `stopped`: an operator has stopped it.
 */
export type LineReportState = 'listening' | 'draining' | 'opening' | 'closing' | 'stopped' | 'failed';

/** How an inbound line does. */
export interface LineReport {
  readonly name: string;
  readonly externalName: string;
  readonly url: string;
  readonly isPortal: boolean;
  readonly entryPoint: string;
  readonly state: LineReportState;
  /** Open now. */
  readonly connections: number;
  readonly sessions: number;
  /** Since the line came into being: requests that it took, and those that it turned away by itself. */
  readonly requests: number;
  readonly refused: number;
  /** Why it could not open the last time that it could not; milliseconds since 1970. */
  readonly lastFault: { readonly at: number; readonly reason: string } | undefined;
  /** Of a line with TLS that listens: when its certificate ends, and why the files that are there now are not used. */
  readonly certificate:
    | { readonly expires: number; readonly fault: string | undefined; readonly endsSoon: string | undefined }
    | undefined;
}

/** The inbound lines, as they are operated. Names are those of lines that are there. */
export interface OperatedLines {
  /** Of now: lines come and go. */
  readonly reports: readonly LineReport[];
  /**
   * Opens it, or ends a drain. Resolves when it listens, and where it goes on trying.
   * @throws Error in words where it cannot open
   */
  startLine(name: string): Promise<void>;
  /** Begins to close it: no more connections, requests in flight are finished, its sessions end as they do when the server stops. */
  stopLine(name: string): void;
  /** No more sessions begin at it. */
  drainLine(name: string): void;
}

/** What operators do with the inbound lines; all of it is put on record. */
export class LineOperations {
  readonly #lines: OperatedLines;
  readonly #audit: () => AuditRecord;

  constructor(lines: OperatedLines, audit: () => AuditRecord) {
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
    const detail = `There is no inbound line ${name.slice(0, 70)}${didYouMean(name.slice(0, 70), names)}.`;
    throw new ServiceError('SVC_ERR_LINE_UNKNOWN', { detail });
  }

  /** Why it cannot be started now, in words; undefined: it can. */
  whyNotStart({ state }: LineReport): string | undefined {
    if (state === 'listening') return 'It is open already.';
    if (state === 'opening') return 'It is opening, and goes on trying by itself.';
    if (state === 'closing') return 'It is still closing: start it when it has.';
    return undefined;
  }

  /** The portal would shut itself out. */
  whyNotStop({ name, state, isPortal }: LineReport): string | undefined {
    if (state === 'stopped' || state === 'failed') return 'It does not listen.';
    if (state === 'closing') return 'It is closing already.';
    const isOpen = (line: LineReport) => line.state === 'listening' || line.state === 'draining';
    const hasOther = this.#lines.reports.some((line) => line.isPortal && line.name !== name && isOpen(line));
    if (isPortal && !hasOther) return 'It is the only portal line that is open: nobody could start it again.';
    return undefined;
  }

  whyNotDrain({ state }: LineReport): string | undefined {
    if (state === 'draining') return 'It is drained already.';
    return state === 'listening' ? undefined : 'It does not listen.';
  }

  /**
   * Opens a line that was stopped or has failed; ends the drain of one that is drained.
   * @returns how it does now: `opening` where it goes on trying
   * @throws ServiceError SVC_ERR_LINE_UNKNOWN, SVC_ERR_LINE_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  start(actor: Actor, name: string): Promise<LineReport> {
    return this.#do(actor, name, 'line.started', async (line) => {
      refuse(this.whyNotStart(line));
      try {
        await this.#lines.startLine(name);
      } catch (error) {
        refuse(messageOf(error));
      }
    });
  }

  /**
   * Closes a line, its sessions too; it stays closed until it is started or the server is.
   * @returns how it does now: `closing` until all of it is over
   * @throws ServiceError SVC_ERR_LINE_UNKNOWN, SVC_ERR_LINE_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  stop(actor: Actor, name: string): Promise<LineReport> {
    return this.#do(actor, name, 'line.stopped', async (line) => {
      refuse(this.whyNotStop(line));
      this.#lines.stopLine(name);
    });
  }

  /**
   * Has a line begin no further sessions; those that it has go on.
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
    // what was so when it was asked for may be otherwise once that is on record
    await this.#audit().record(entry, async () => act(this.report(name)));
    return this.report(name);
  }
}

function refuse(reason: string | undefined): void {
  if (reason !== undefined) throw new ServiceError('SVC_ERR_LINE_REFUSED', { detail: reason });
}
