import { createHash } from 'node:crypto';
import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import type { Configuration } from '../config/configuration.js';
import { type LoadedConfiguration, tagOfConfiguration } from '../config/load-configuration.js';
import { SourceError } from '../lib/documents/source-diagnostic.js';
import type { Log } from '../lib/log/log.js';
import { messageOf } from '../lib/text/messages.js';
import type {
  OperatedConfiguration,
  ReloadOutcome,
  ReloadReport,
  Replaced,
} from '../operation/configuration-operations.js';

interface ReloadContext {
  readonly started: Configuration;
  readonly log: Log;
  load(file: string): Promise<LoadedConfiguration>;
  audit(): AuditTrail;
  replace(next: Configuration): Promise<Replaced>;
  rehearse(next: Configuration): Promise<Replaced>;
}

const MOST_WAITING_RELOADS = 8;

/** Reloads the configuration: checks all of it, records the reload, and runs one at a time. */
export class Reloads implements OperatedConfiguration {
  readonly #context: ReloadContext;
  #running: Configuration['read'];
  #needsRestart: Replaced['needsRestart'] = [];
  #lastReload: ReloadReport | undefined;
  #latest: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isStopping = false;

  constructor(context: ReloadContext) {
    this.#context = context;
    this.#running = context.started.read;
  }

  get file(): string {
    return this.#context.started.file;
  }

  get running(): Configuration['read'] {
    return this.#running;
  }

  get needsRestart(): Replaced['needsRestart'] {
    return this.#needsRestart;
  }

  get lastReload(): ReloadReport | undefined {
    return this.#lastReload;
  }

  tagOfFile(): Promise<string | undefined> {
    return tagOfConfiguration(this.file).catch(() => undefined);
  }

  async check(): ReturnType<OperatedConfiguration['check']> {
    const { load, rehearse } = this.#context;
    try {
      const { configuration, diagnostics: warnings } = await load(this.file);
      const { takenOver, needsRestart } = await rehearse(configuration);
      return { kind: 'sound', read: configuration.read, warnings, takenOver, needsRestart };
    } catch (error) {
      if (error instanceof SourceError) return { kind: 'wrong', diagnostics: error.diagnostics };
      return { kind: 'refused', reason: messageOf(error) };
    }
  }

  async reload(actor: Actor, seen?: string): Promise<ReloadOutcome> {
    const outcome = await this.#inTurn(actor, seen);
    this.#lastReload = { at: Date.now(), who: actor.who, outcome };
    return outcome;
  }

  /** Rejects new reloads. Resolves when the reload in progress is complete and recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#latest;
  }

  async #inTurn(actor: Actor, seen: string | undefined): Promise<ReloadOutcome> {
    if (this.#waiting >= MOST_WAITING_RELOADS)
      return this.#refuse(actor, 'the maximum number of reloads is already waiting');
    this.#waiting++;
    const turn = this.#latest.then(() => this.#reloadNow(actor, seen)).finally(() => this.#waiting--);
    this.#latest = turn;
    return turn;
  }

  async #reloadNow(actor: Actor, seen: string | undefined): Promise<ReloadOutcome> {
    const { log, load, audit, replace } = this.#context;
    const { file } = this;
    if (this.#isStopping) return this.#told('the server stops');
    try {
      const { configuration, diagnostics, source } = await load(file);
      if (this.#isStopping) return this.#told('the server stops');
      if (seen !== undefined && seen !== configuration.read.tag)
        return await this.#refuse(actor, 'the file has changed since the check');
      for (const { line, column, message } of diagnostics) log.warn({ file, line, column }, message);
      const sha256 = createHash('sha256').update(source).digest('hex');
      const entry: AuditEntry = { ...actor, what: 'configuration.reloaded', subject: file, after: { sha256 } };
      const { takenOver, needsRestart } = await audit().record(entry, () => replace(configuration));
      this.#running = configuration.read;
      this.#needsRestart = needsRestart;
      for (const { what, reason } of needsRestart)
        log.warn({ what, reason }, 'this change takes effect after a restart');
      log.info({ file, takenOver, by: actor.who }, 'the configuration was read again');
      return { kind: 'done', takenOver, needsRestart };
    } catch (error) {
      // The audit trail already has the intent and the failure, if it was writable.
      if (!(error instanceof SourceError)) return this.#told(messageOf(error));
      const { diagnostics } = error;
      for (const { line, column, message } of diagnostics) log.error({ file, line, column }, message);
      log.error(
        { file, errors: diagnostics.length },
        'the configuration is invalid; the server continues with the previous one',
      );
      await this.#note(actor, { errors: diagnostics.length });
      return { kind: 'wrong', diagnostics };
    }
  }

  async #refuse(actor: Actor, reason: string): Promise<ReloadOutcome> {
    await this.#note(actor, { reason });
    return this.#told(reason);
  }

  #told(reason: string): ReloadOutcome {
    this.#context.log.error(
      { file: this.file, reason },
      'the configuration could not be applied: the current one stays active',
    );
    return { kind: 'refused', reason };
  }

  async #note(actor: Actor, after: Readonly<Record<string, unknown>>): Promise<void> {
    const { audit, log } = this.#context;
    try {
      await audit().note({ ...actor, what: 'configuration.refused', subject: this.file, after });
    } catch (error) {
      log.error({ err: error }, 'the rejected configuration could not be recorded in the audit trail');
    }
  }
}
