import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../lib/errors.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { replaceFile } from '../../lib/files/replace-file.js';
import { foldedName } from './security-name.js';
import { type SettingsStore, settingsKey, settingsTag } from './settings-store.js';

export const SETTINGS_NAME = 'terminal-settings';

const MOST_WAITING = 100;

/** Settings in a folder, one file per user. Only one server writes to the folder. */
export class FileSettingsStore implements SettingsStore {
  readonly #folder: string;
  readonly #last = new Map<string, Promise<unknown>>();
  #waiting = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(user: string) {
    try {
      const text = await readFile(this.#placeOf(user), 'utf8');
      return { text, etag: settingsTag(text) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  write(user: string, text: string, expected: string | null | undefined) {
    return this.#inTurn(user, (name) => this.#writeNow(name, text, expected));
  }

  remove(user: string) {
    return this.#inTurn(user, (name) => rm(this.#placeOf(name), { force: true }));
  }

  async #inTurn<Result>(user: string, change: (name: string) => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MOST_WAITING) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    const name = foldedName(user);
    this.#waiting += 1;
    const before = this.#last.get(name) ?? Promise.resolve();
    const changed = before.catch(() => undefined).then(() => change(name));
    this.#last.set(name, changed);
    try {
      return await changed;
    } finally {
      this.#waiting -= 1;
      if (this.#last.get(name) === changed) this.#last.delete(name);
    }
  }

  async #writeNow(user: string, text: string, expected: string | null | undefined) {
    const current = await this.read(user);
    if (expected !== undefined && (current?.etag ?? null) !== expected) return { kind: 'changed' } as const;
    await makePrivateFolder(this.#folder);
    await replaceFile(this.#placeOf(user), text);
    return { kind: 'stored', etag: settingsTag(text) } as const;
  }

  #placeOf(user: string): string {
    return join(this.#folder, `${settingsKey(user)}.json`);
  }
}
