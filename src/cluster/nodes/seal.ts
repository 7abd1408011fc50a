import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Framing } from './passed-headers.js';

/** Header of a response to a request with an invalid seal. */
export const REFUSED_SEAL_HEADER = 'Sallyport-Refused';

/** Earlier versions of the internal line answer 204 to requests that they cannot read. */
export function isOfLine({ statusCode, headers }: IncomingMessage): boolean {
  if (statusCode === 400) return headers[REFUSED_SEAL_HEADER.toLowerCase()] === undefined;
  return statusCode !== 204 || headers['x-request-id'] !== undefined;
}

/** Authenticated together with the seal: a seal is only valid for this request. */
export interface SealedHead {
  readonly method: string;
  readonly url: string;
  readonly framing: Framing;
  readonly isUpgrade: boolean;
}

export const SEAL_KEY_BYTES = 32;
const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'sallyport internal line';
/** Minimum interval between reads of the key after invalid seals. */
const READINGS_APART_MILLISECONDS = 1_000;

/**
 * Encrypts the facts about a request (AES-256-GCM), so that clients cannot forge them. Layout, in base64url: version,
 * salt, nonce, tag, ciphertext. Each seal has its own key, derived from the shared key and the salt (HKDF), because
 * random nonces of a single key could repeat after about 2^32 seals.
 */
export class Seal {
  readonly #read: () => Promise<Buffer>;
  readonly #now: () => number;
  #key: Buffer | undefined;
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(read: () => Promise<Buffer>, now = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  async begin(): Promise<void> {
    const key = await this.#read();
    if (key.length !== SEAL_KEY_BYTES)
      throw new Error(`the key of the internal line does not have ${SEAL_KEY_BYTES} bytes`);
    this.#key = key;
    this.#readAt = this.#now();
  }

  /** @throws Error before `begin` */
  close(said: unknown, head: SealedHead): string {
    const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
    if (this.#key === undefined) throw new Error('the key of the internal line has not been read');
    const cipher = createCipheriv('aes-256-gcm', derived(this.#key, salt), nonce);
    cipher.setAAD(boundIn(head));
    const text = Buffer.concat([cipher.update(JSON.stringify(said), 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), salt, nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** Returns the sealed contents. Undefined if the seal is invalid, even after the key was read again. */
  async open(seal: string, head: SealedHead): Promise<unknown> {
    const key = this.#key;
    const said = key && opened(key, seal, head);
    if (said !== undefined) return said;
    await this.readAgain();
    return this.#key === undefined || this.#key === key ? undefined : opened(this.#key, seal, head);
  }

  /** For seals with another key. If the key cannot be read, the current key stays. */
  async readAgain(): Promise<void> {
    if (this.#now() - this.#readAt < READINGS_APART_MILLISECONDS) return this.#reading;
    this.#readAt = this.#now();
    this.#reading = this.begin().catch(() => {});
    return this.#reading;
  }
}

function opened(key: Buffer, seal: string, head: SealedHead): unknown {
  const bytes = Buffer.from(seal, 'base64url');
  const part = (from: number, length?: number) => bytes.subarray(from, length && from + length);
  const nonceAt = 1 + SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  if (bytes[0] !== VERSION || bytes.length <= tagAt + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', derived(key, part(1, SALT_BYTES)), part(nonceAt, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundIn(head));
    decipher.setAuthTag(part(tagAt, TAG_BYTES));
    const text = Buffer.concat([decipher.update(part(tagAt + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

function derived(key: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, PURPOSE, SEAL_KEY_BYTES));
}

function boundIn({ method, url, framing, isUpgrade }: SealedHead): Buffer {
  return Buffer.from(JSON.stringify([method, url, framing, isUpgrade]));
}
