import { createHash } from 'node:crypto';
import { foldedName } from './security-name.js';

/** Terminal settings of a user, as text. The caller validates the text. */
interface StoredSettings {
  readonly text: string;
  /** Quoted, as in HTTP. Depends only on the text. */
  readonly etag: string;
}

type SettingsWritten = { readonly kind: 'stored'; readonly etag: string } | { readonly kind: 'changed' };

export interface SettingsStore {
  read(user: string): Promise<StoredSettings | undefined>;
  /**
   * Atomic. If `expected` does not match the stored tag, nothing is written. Writes of one user run one at a time.
   * @param expected tag that the writer has read, null for no settings, undefined to skip the check
   * @throws ServiceError SVC_ERR_SERVICE_BUSY if too many writes wait
   */
  write(user: string, text: string, expected: string | null | undefined): Promise<SettingsWritten>;
  /** Waits for writes in progress. Does nothing if there are no settings. */
  remove(user: string): Promise<void>;
}

const HASH_DIGITS = 32;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

/** Hash of the folded user name. Used as file name, so that any user name is safe. */
export function settingsKey(user: string): string {
  return hashOf(foldedName(user));
}

export function settingsTag(text: string): string {
  return `"${hashOf(text)}"`;
}
