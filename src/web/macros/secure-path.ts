import { DIRECTORY_KEY_LENGTH } from '../../macros/directory-key.js';
import type { MacroLevel } from '../../macros/macro-directory.js';
import type { TransactionPath } from '../http/request-path.js';

/** What a path below `/SECURE/` asks for (specification 4.3 and 4.4). */
export type SecureTarget =
  | { readonly kind: 'keyLookup' }
  /** The key is empty if the path has none, or a malformed one. A fault refuses the upload. */
  | { readonly kind: 'upload'; readonly level: MacroLevel; readonly key: string; readonly fault?: string };

const KEY_LOOKUP = 'USRCAP';
const uploads: Readonly<Record<string, MacroLevel>> = { UPLGLB: 'global', UPLGRP: 'group', UPLUSR: 'user' };

/** All transactions below `/SECURE/`, with the method of each. */
export const secureTransactions: ReadonlyMap<string, 'GET' | 'POST'> = new Map([
  [KEY_LOOKUP, 'GET'],
  ...Object.keys(uploads).map((name) => [name, 'POST'] as const),
]);

const PATHS = { group: '+uplgrp', user: '+uplusr' } as const;

const KEY_NAME = /^x-svc-(group|user)-directory:(.*)$/i;
/**
 * As a line of JSON has it, a client that takes that line sends blank and quotation marks along. However many come, they are
 * tried in one way alone.
 */
const WRITTEN_KEY = new RegExp(`^[ "]*([A-Za-z0-9_-]{${DIRECTORY_KEY_LENGTH}})[ "]*(?:1[ "]*)?$`);

/**
 * Reads the transaction of a path and the key after it, whose name must be that of its level. The reference client appends the
 * character `1`: one is dropped, only here. Keys have one length, so a key that ends with `1` stays whole. The path of the
 * global directory has nothing after the transaction, and the other two have one part.
 * @returns undefined if the path names another transaction
 */
export function secureTarget({ transaction, userData }: TransactionPath): SecureTarget | undefined {
  const name = transaction.toUpperCase();
  if (name === KEY_LOOKUP && userData === undefined) return { kind: 'keyLookup' };
  const level = uploads[userData === undefined ? name.replace(/1$/, '') : name];
  if (level === undefined) return undefined;
  const fault = faultOf(level, userData);
  if (fault !== undefined) return { kind: 'upload', level, key: '', fault };
  const [, named = '', written = ''] = KEY_NAME.exec(userData ?? '') ?? [];
  const key = named.toLowerCase() === level ? WRITTEN_KEY.exec(written)?.[1] : undefined;
  return { kind: 'upload', level, key: key ?? '' };
}

function faultOf(level: MacroLevel, userData: string | undefined): string | undefined {
  if (userData === undefined) return undefined;
  if (level === 'global')
    return 'Upload to the global directory without a key: nothing may follow +uplglb but the character 1.';
  return userData.includes('+') ? `Send one key after ${PATHS[level]}, and no further plus sign.` : undefined;
}
