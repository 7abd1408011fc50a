import { dirname, resolve } from 'node:path';
import { type DocumentFault, errorAt, type KeyPath, warningAt } from '../lib/documents/source-diagnostic.js';
import type { ConfigurationDocument, PoolPasswordDocument } from './configuration-document.js';
import { readAtMost } from './read-source.js';

/** In characters. Hosts allow far fewer. */
const LONGEST_PASSWORD = 256;
/** Bytes of a password file. Only its first row is used. */
const LARGEST_PASSWORD_FILE = 4 * 1024;

export type PoolPasswords = ReadonlyMap<string, Uint8Array>;

export function passwordKey(pool: string, user: number): string {
  return `${pool}\0${user}`;
}

/** Faults never quote a password. */
export async function readPoolPasswords(
  { pools, hosts }: ConfigurationDocument,
  file: string,
): Promise<{ readonly passwords: PoolPasswords; readonly faults: readonly DocumentFault[] }> {
  const passwords = new Map<string, Uint8Array>();
  const faults: DocumentFault[] = [];
  for (const [name, { host, users }] of Object.entries(pools)) {
    const isSimulated = hosts[host]?.simulated === true;
    for (const [at, { password }] of users.entries()) {
      const path = ['pools', name, 'users', String(at), 'password'];
      const read = await readPassword(password, file, path);
      if (read instanceof Uint8Array) passwords.set(passwordKey(name, at), read);
      else faults.push(read);
      // the passwords of a simulated host are in the same file anyway
      if (typeof password === 'string' && !isSimulated) {
        faults.push(warningAt(path, 'a password must not be in this file: expected { env: NAME } or { file: PATH }'));
      }
    }
  }
  return { passwords, faults };
}

export function emptyPoolPasswords({ pools }: ConfigurationDocument): PoolPasswords {
  const keys = Object.entries(pools).flatMap(([name, { users }]) => users.map((_, at) => passwordKey(name, at)));
  return new Map(keys.map((key) => [key, new Uint8Array()]));
}

async function readPassword(
  document: PoolPasswordDocument,
  file: string,
  path: KeyPath,
): Promise<Uint8Array | DocumentFault> {
  if (typeof document === 'string') return Buffer.from(document);
  if (document.env !== undefined) {
    const text = process.env[document.env] ?? '';
    if (text === '') return errorAt([...path, 'env'], `the environment variable "${document.env}" is not set`);
    return text.length > LONGEST_PASSWORD ? tooLong([...path, 'env']) : Buffer.from(text);
  }
  const named = document.file ?? '';
  try {
    const bytes = await readAtMost(resolve(dirname(file), named), LARGEST_PASSWORD_FILE);
    const line = firstLine(bytes);
    if (line.length === 0) return errorAt([...path, 'file'], `expected a password in the first line of "${named}"`);
    return line.length > LONGEST_PASSWORD ? tooLong([...path, 'file']) : line;
  } catch {
    return errorAt([...path, 'file'], `expected a file that can be read, found none at "${named}"`);
  }
}

function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0x0a);
  const line = bytes.subarray(0, end < 0 ? bytes.length : end);
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
}

function tooLong(path: KeyPath): DocumentFault {
  return errorAt(path, `expected a password of at most ${LONGEST_PASSWORD} characters`);
}
