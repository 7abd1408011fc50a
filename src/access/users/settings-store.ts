import { createHash } from 'node:crypto';
import { foldedName } from './security-name.js';

/** How a user has the terminal, as text that somebody else has checked. */
interface StoredSettings {
  readonly text: string;
  /** In quotation marks; the same for the same text. */
  readonly etag: string;
}

type SettingsWritten = { readonly kind: 'stored'; readonly etag: string } | { readonly kind: 'changed' };

/** Settings of the terminal, of users who have signed on. Names of users are found in any case. */
export interface SettingsStore {
  /** Undefined: the user has set nothing. */
  read(user: string): Promise<StoredSettings | undefined>;
  /**
   * As one: who expects something else than what is there changes nothing. Writes of one user come one after the other.
   * @param expected the tag of what the writer has seen, null for nothing; undefined: it does not matter
   * @throws ServiceError SVC_ERR_SERVICE_BUSY where as many wait as may
   */
  write(user: string, text: string, expected: string | null | undefined): Promise<SettingsWritten>;
  /** After what was being written. Nothing where the user has set nothing. */
  remove(user: string): Promise<void>;
}

const HASH_DIGITS = 32;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

/** What stands for a user where settings are kept: no name of a user is a name of a file. */
export function settingsKey(user: string): string {
  return hashOf(foldedName(user));
}

/** The tag of settings, wherever they are kept. */
export function settingsTag(text: string): string {
  return `"${hashOf(text)}"`;
}
