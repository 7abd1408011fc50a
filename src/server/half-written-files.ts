import { basename, dirname, join } from 'node:path';
import { SETTINGS_NAME } from '../access/users/file-settings-store.js';
import type { Configuration } from '../config/configuration.js';
import { removeHalfWritten, writerIn } from '../lib/files/half-written-files.js';
import type { Log } from '../lib/log/log.js';
import { DRAFTS_NAME } from '../services/file-draft-store.js';

/** Of the data folder itself: tokens, the audit trail, requests with a key, and the note of a copy. */
const OF_DATA = /\.jsonl?$|^copy-unfinished$/;
const JSON_FILE = /\.json$/;
const YAML_FILE = /\.ya?ml$/;

/** Removes the files that killed processes have left half-written, from the folders where a server or a command replaces files. */
export async function sweepHalfWritten(
  { data, servicesFolder, security }: Pick<Configuration, 'data' | 'servicesFolder' | 'security'>,
  log: Log,
): Promise<void> {
  const users = security.database;
  const swept: readonly (readonly [folder: string | undefined, isOurs: (file: string) => boolean])[] = [
    [data, (file) => OF_DATA.test(file)],
    [join(data, SETTINGS_NAME), (file) => JSON_FILE.test(file)],
    [join(data, DRAFTS_NAME), (file) => JSON_FILE.test(file)],
    [servicesFolder, (file) => YAML_FILE.test(file)],
    [dirname(users), (file) => file === basename(users)],
  ];
  for (const [folder, isOurs] of swept) {
    if (folder === undefined) continue;
    try {
      const removed = await removeHalfWritten(folder, (name) => writerIn(name, isOurs));
      if (removed.length > 0) log.info({ folder, removed }, 'removed files that a killed process left half-written');
    } catch (error) {
      log.warn({ err: error, folder }, 'files that a killed process left half-written cannot be removed');
    }
  }
}
