import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../config/configuration.js';
import type { NeedsRestart, Replaced } from '../operation/configuration-operations.js';
import type { Part, Replacement } from './part.js';

/** Not settings: where and when the configuration was read. */
const notSettings: readonly string[] = ['file', 'read'];

/** Parts of a server. They start in order, stop in reverse order, and change together. */
export class Parts {
  readonly #parts: readonly Part[];
  readonly #configuration: Configuration;
  #latest: Configuration;
  readonly #started: Part[] = [];
  #replacing: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  constructor(configuration: Configuration, parts: readonly Part[]) {
    this.#configuration = configuration;
    this.#latest = configuration;
    this.#parts = parts;
  }

  /** Rejects with the error of the first part that cannot start, after it has stopped the started parts. */
  async start(graceMilliseconds: number): Promise<void> {
    try {
      for (const part of this.#parts) {
        this.#started.push(part);
        await part.start();
      }
    } catch (error) {
      await this.stop(graceMilliseconds);
      throw error;
    }
  }

  refuseChanges(): void {
    this.#isStopping = true;
  }

  async stop(graceMilliseconds: number): Promise<void> {
    this.refuseChanges();
    await this.#replacing;
    for (const part of this.#started.splice(0).reverse()) await part.stop(graceMilliseconds);
  }

  /** The last applied configuration. Parts of it may still need a restart. */
  get latest(): Configuration {
    return this.#latest;
  }

  /**
   * Applies another configuration as far as possible without ending sessions, in one turn of the event loop. If a part
   * cannot work with it, rejects without any change.
   * @param change derives the new configuration. Changes run one at a time.
   */
  replace(change: (latest: Configuration) => Configuration): Promise<Replaced> {
    return this.#inTurn(async () => {
      const next = change(this.#latest);
      const { end, replacements } = await this.#prepared(next);
      for (const replacement of replacements) {
        if (end.takenOver.length > 0) replacement.take();
        else replacement.discard();
      }
      this.#latest = next;
      return end;
    });
  }

  /**
   * Returns the outcome of `replace` without applying anything. New lines are opened briefly as a test. Rejects if a
   * part cannot work with the configuration.
   */
  rehearse(next: Configuration): Promise<Replaced> {
    return this.#inTurn(async () => {
      const { end, replacements } = await this.#prepared(next);
      for (const replacement of replacements) replacement.discard();
      return end;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#replacing.then(work);
    this.#replacing = done.catch(() => {});
    return done;
  }

  async #prepared(
    next: Configuration,
  ): Promise<{ readonly end: Replaced; readonly replacements: readonly Replacement[] }> {
    if (this.#isStopping) throw new Error('the server stops');
    const replacements: Replacement[] = [];
    try {
      for (const part of this.#started) replacements.push(await part.replace(next));
      if (this.#isStopping) throw new Error('the server stops');
    } catch (error) {
      for (const replacement of replacements) replacement.discard();
      throw error;
    }
    const takenOver = replacements.flatMap((replacement) => replacement.takenOver);
    const needsRestart = replacements.flatMap((replacement) => replacement.needsRestart);
    const end = { takenOver, needsRestart: toldOnce([...needsRestart, ...this.#readByNone(next)]) };
    return { end, replacements };
  }

  #readByNone(next: Configuration): readonly NeedsRestart[] {
    const read = new Set<string>([...notSettings, ...this.#parts.flatMap(({ reads }) => reads)]);
    const keys = Object.keys(next) as (keyof Configuration)[];
    return keys
      .filter((key) => !read.has(key) && !isDeepStrictEqual(next[key], this.#configuration[key]))
      .map((what) => ({ what, reason: 'it is read only at the start' }));
  }
}

function toldOnce(needsRestart: readonly NeedsRestart[]): readonly NeedsRestart[] {
  const reasons = new Map<string, string[]>();
  for (const { what, reason } of needsRestart) reasons.set(what, [...(reasons.get(what) ?? []), reason]);
  return [...reasons].map(([what, all]) => ({ what, reason: all.join('; ') }));
}
