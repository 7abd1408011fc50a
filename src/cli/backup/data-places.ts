import { basename, dirname, join, relative, sep } from 'node:path';
import { AUDIT_TRAIL_NAME } from '../../access/audit/audit-trail.js';
import { TOKENS_NAME } from '../../access/tokens/file-token-store.js';
import type { Configuration } from '../../config/configuration.js';
import type { BackupRoot } from './backup-manifest.js';

/** Where a configuration keeps what a backup holds. */
export interface DataPlace {
  readonly root: BackupRoot;
  /** A folder with all that is in it, or one file. */
  readonly path: string;
  /** In the archive: `data`, `users/security.yaml`. */
  readonly name: string;
}

type Places = Pick<Configuration, 'data' | 'security' | 'macros'>;

export function dataPlaces({ data, security, macros }: Places): readonly DataPlace[] {
  const places: DataPlace[] = [{ root: 'data', path: data, name: 'data' }];
  if (macros !== undefined && !isWithin(macros, data)) places.push({ root: 'macros', path: macros, name: 'macros' });
  const { database } = security;
  if (!isWithin(database, data)) {
    places.push({ root: 'users', path: database, name: `users/${basename(database)}` });
  }
  return places;
}

/** Files that several processes change, each under its lock; in the order in which the locks are taken. */
export function lockedFiles({ data, security }: Places): readonly string[] {
  return [security.database, join(data, TOKENS_NAME), join(data, AUDIT_TRAIL_NAME)];
}

/** A new name beside a file or folder: on the same file system, so that a rename puts it in place. */
export function besides(path: string, what: string): string {
  return join(dirname(path), `.${basename(path)}.${what}`);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && way !== '';
}
