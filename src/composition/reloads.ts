import { createHash } from 'node:crypto';
import type { Configuration } from '../config/configuration.js';
import type { LoadedConfiguration } from '../config/load-configuration.js';
import type { Log } from '../log.js';
import type { Actor } from '../security/audit-entry.js';
import type { AuditRecord } from '../security/audit-record.js';
import { type SourceDiagnostic, SourceError } from '../source-diagnostic.js';
import type { Replaced } from './part.js';

/** What came of reading the configuration again. */
export type ReloadOutcome =
  | ({ readonly kind: 'done' } & Replaced)
  /** It has errors, and is refused whole: everything goes on as before. */
  | { readonly kind: 'wrong'; readonly diagnostics: readonly SourceDiagnostic[] }
  /** A part cannot work with it, or it could not be put on record: everything goes on as before. */
  | { readonly kind: 'refused'; readonly reason: string };

interface ReloadGround {
  readonly file: string;
  readonly log: Log;
  load(file: string): Promise<LoadedConfiguration>;
  audit(): AuditRecord;
  replace(next: Configuration): Promise<Replaced>;
}

/** Reloads that wait for their turn; one more is refused. */
export const MOST_WAITING_RELOADS = 8;

/** Has the configuration read again: checked whole, on record, and one at a time. */
export class Reloads {
  readonly #ground: ReloadGround;
  #latest: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(ground: ReloadGround) {
    this.#ground = ground;
  }

  async reload(actor: Actor): Promise<ReloadOutcome> {
    if (this.#waiting >= MOST_WAITING_RELOADS) return this.#refuse('as many reloads wait as may');
    this.#waiting++;
    const turn = this.#latest.then(() => this.#reloadNow(actor)).finally(() => this.#waiting--);
    this.#latest = turn;
    return turn;
  }

  async #reloadNow(actor: Actor): Promise<ReloadOutcome> {
    const { file, log, load, audit, replace } = this.#ground;
    try {
      const { configuration, diagnostics, source } = await load(file);
      for (const { line, column, message } of diagnostics) log.warn({ file, line, column }, message);
      const sha256 = createHash('sha256').update(source).digest('hex');
      const entry = { ...actor, what: 'configuration.reloaded', subject: file, after: { sha256 } };
      const { takenOver, needsRestart } = await audit().record(entry, () => replace(configuration));
      for (const { what, reason } of needsRestart)
        log.warn({ what, reason }, 'it changes when the server is started again');
      log.info({ file, takenOver, by: actor.who }, 'the configuration was read again');
      return { kind: 'done', takenOver, needsRestart };
    } catch (error) {
      if (!(error instanceof SourceError)) return this.#refuse(error instanceof Error ? error.message : String(error));
      const { diagnostics } = error;
      for (const { line, column, message } of diagnostics) log.error({ file, line, column }, message);
      log.error({ file, errors: diagnostics.length }, 'the configuration is wrong: the one that is served goes on');
      await this.#note(actor, diagnostics.length);
      return { kind: 'wrong', diagnostics };
    }
  }

  #refuse(reason: string): ReloadOutcome {
    this.#ground.log.error(
      { file: this.#ground.file, reason },
      'the configuration was not taken: the one that is served goes on',
    );
    return { kind: 'refused', reason };
  }

  async #note(actor: Actor, errors: number): Promise<void> {
    const { file, audit, log } = this.#ground;
    try {
      await audit().note({ ...actor, what: 'configuration.refused', subject: file, after: { errors } });
    } catch (error) {
      log.error({ err: error }, 'that the configuration was refused could not be put on record');
    }
  }
}
