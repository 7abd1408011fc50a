import { join } from 'node:path';
import { headText } from '../../access/audit/audit-head.js';
import type { AuditRecord } from '../../access/audit/audit-record.js';
import { removeOldestFile } from '../../access/audit/audit-retention.js';
import { AUDIT_TRAIL_NAME } from '../../access/audit/audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Tells the log what the last entry of the audit trail is, so that one that is cut off later is found, and removes old files. */
export class AuditKeeping {
  readonly #log: Log;
  readonly #file: string;
  readonly #keepDays: number;
  readonly #audit: AuditRecord;
  #told = '';
  #hourly: NodeJS.Timeout | undefined;

  constructor(
    { data, audit: { keepDays }, store }: Pick<Configuration, 'data' | 'audit' | 'store'>,
    audit: AuditRecord,
    log: Log,
  ) {
    this.#log = log;
    this.#file = join(data, AUDIT_TRAIL_NAME);
    // entries of a database are not removed
    this.#keepDays = store === undefined ? keepDays : 0;
    this.#audit = audit;
  }

  /** Tells what an earlier process left behind. Terminals are served whatever it is. */
  async start(): Promise<void> {
    const { fault, unfinished } = await this.#audit
      .state()
      .catch((error: Error) => ({ fault: error.message, unfinished: [] }));
    if (fault !== undefined) {
      const words = 'nothing can be changed: the audit trail is broken; see sallyport audit verify';
      this.#log.error({ file: this.#file, reason: fault }, words);
    }
    for (const { sequence, time, who, what, subject } of unfinished) {
      this.#log.warn(
        { entry: sequence, time, who, what, subject },
        'a change was interrupted: the audit trail does not say whether it was made',
      );
    }
    await this.#tellHead();
    await this.#removeOld();
    this.#hourly = setInterval(() => void this.#tellHead().then(() => this.#removeOld()), HOUR).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#hourly);
    await this.#tellHead();
  }

  /** Once for each entry that is the last. */
  async #tellHead(): Promise<void> {
    try {
      const head = await this.#audit.head();
      const told = head === undefined ? '' : headText(head);
      if (told === this.#told) return;
      this.#told = told;
      this.#log.info({ head: told }, 'head of the audit trail');
    } catch (error) {
      this.#log.error({ err: error }, 'the audit trail cannot be read');
    }
  }

  async #removeOld(): Promise<void> {
    if (this.#keepDays === 0) return;
    try {
      const before = Date.now() - this.#keepDays * DAY;
      const removed = await removeOldestFile(this.#audit, { file: this.#file, before });
      if (removed !== undefined) this.#log.info({ file: removed }, 'an old file of the audit trail was removed');
    } catch (error) {
      this.#log.error({ err: error }, 'an old file of the audit trail is kept');
    }
  }
}
