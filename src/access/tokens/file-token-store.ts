import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceError } from '../../lib/errors.js';
import { withFileLock } from '../../lib/files/file-lock.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { removeHalfWrittenOf, replaceFile } from '../../lib/files/replace-file.js';
import { messageOf } from '../../lib/text/messages.js';
import { refusedChange } from '../users/security-change.js';
import { compareNames, foldedName } from '../users/security-name.js';
import { stampOf } from '../users/users-file.js';
import { factsOfToken, MOST_TOKENS, type RecordTokenChange, type TokenRecord, type TokenStore } from './token-store.js';

export const TOKENS_NAME = 'tokens.json';
const LARGEST_FILE_BYTES = 8 * 1024 * 1024;

interface State {
  readonly stamp: string | undefined;
  readonly byHash: ReadonlyMap<string, TokenRecord>;
}

/** Tokens in a JSON file. Other processes may change it, so each request checks its current contents. */
export class FileTokenStore implements TokenStore {
  readonly #file: string;
  #state: State | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  add(token: TokenRecord, record: RecordTokenChange): Promise<void> {
    return this.#change(async (tokens) => {
      const taken = named(tokens, token.name);
      if (taken !== undefined) throw refusedChange('token.exists', { name: taken.name });
      if (tokens.length >= MOST_TOKENS) throw refusedChange('token.most', { most: MOST_TOKENS });
      const make = () => this.#write([...tokens, token]);
      await record({ before: undefined, after: factsOfToken(token) }, make);
    });
  }

  remove(name: string, record: RecordTokenChange): Promise<void> {
    return this.#change(async (tokens) => {
      const found = named(tokens, name);
      if (found === undefined) throw refusedChange('token.unknown', { name: name.slice(0, 70) });
      const make = () => this.#write(tokens.filter((token) => token !== found));
      await record({ before: factsOfToken(found), after: undefined }, make);
    });
  }

  async list(): Promise<readonly TokenRecord[]> {
    const { byHash } = await this.#read();
    return [...byHash.values()].sort((one, other) => compareNames(one.name, other.name));
  }

  async find(hash: string): Promise<TokenRecord | undefined> {
    return (await this.#read()).byHash.get(hash);
  }

  used(hash: string, now: string): Promise<void> {
    return this.#change(async (tokens) => {
      const isLater = ({ lastUsed }: TokenRecord) => lastUsed === undefined || lastUsed < now;
      if (!tokens.some((token) => token.hash === hash && isLater(token))) return;
      await this.#write(
        tokens.map((token) => (token.hash === hash && isLater(token) ? { ...token, lastUsed: now } : token)),
      );
    });
  }

  async #change(work: (tokens: readonly TokenRecord[]) => Promise<void>): Promise<void> {
    await makePrivateFolder(dirname(this.#file));
    await withFileLock(this.#file, async () => {
      await removeHalfWrittenOf(this.#file);
      await work([...(await this.#read()).byHash.values()]);
    });
  }

  async #write(tokens: readonly TokenRecord[]): Promise<void> {
    await replaceFile(this.#file, `${JSON.stringify({ tokens }, undefined, 2)}\n`);
  }

  /** An unreadable file rejects all tokens, because a token may have been revoked in the file. */
  async #read(): Promise<State> {
    try {
      const stamp = await stampOf(this.#file);
      if (this.#state !== undefined && this.#state.stamp === stamp) return this.#state;
      const tokens = stamp === undefined ? [] : tokensOf(await readFile(this.#file));
      this.#state = { stamp, byHash: new Map(tokens.map((token) => [token.hash, token])) };
      return this.#state;
    } catch (error) {
      throw new ServiceError('SVC_ERR_SECURITY_UNAVAILABLE', {
        detail: `${this.#file}: ${messageOf(error)}`,
        cause: error,
      });
    }
  }
}

function named(tokens: readonly TokenRecord[], name: string): TokenRecord | undefined {
  return tokens.find((token) => foldedName(token.name) === foldedName(name));
}

function tokensOf(bytes: Buffer): readonly TokenRecord[] {
  if (bytes.length > LARGEST_FILE_BYTES) {
    throw new Error(`expected at most ${LARGEST_FILE_BYTES} bytes, found ${bytes.length}`);
  }
  const { tokens } = JSON.parse(bytes.toString()) as { tokens?: unknown };
  if (!Array.isArray(tokens) || !tokens.every(isToken)) throw new Error('it does not contain tokens');
  return tokens;
}

function isToken(value: unknown): value is TokenRecord {
  const { name, hash, scopes, created, expires, lastUsed } = Object(value) as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    /^[A-Za-z0-9_-]{43}$/.test(`${hash}`) &&
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === 'string') &&
    isInstant(created) &&
    isInstant(expires) &&
    (lastUsed === undefined || isInstant(lastUsed))
  );
}

function isInstant(value: unknown): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(`${value}`) && !Number.isNaN(Date.parse(`${value}`));
}
