import forge from 'node-forge/lib/forge.js';
import 'node-forge/lib/mgf1.js';
import 'node-forge/lib/sha256.js';
import 'node-forge/lib/util.js';
import { encryptBlock, type RsaPublicKey } from './rsa-public-key.js';
import { randomBytes, randomNonZeroBytes } from './secure-random.js';
import { concatenate } from './wire-encoding.js';

/** Encodes a message as a block of the length of the modulus. @throws Error if the message is too long */
type EncodeMessage = (message: Uint8Array, blockBytes: number) => Uint8Array;

export interface KeyWrapping {
  /** Length of the modulus. */
  readonly bits: number;
  readonly encodeMessage: EncodeMessage;
}

/** Key algorithms of the CRYPTn table (reference 3.1). RSA-OAEP uses SHA-256. */
export const keyWrappings: ReadonlyMap<string, KeyWrapping> = new Map([
  ...[512, 1024, 2048, 3072, 4096].map((bits) => wrapping(`RSA-${bits}`, bits, encodePkcs1)),
  ...[2048, 3072, 4096].map((bits) => wrapping(`RSA-OAEP-${bits}`, bits, encodeOaep)),
]);

function wrapping(name: string, bits: number, encodeMessage: EncodeMessage): readonly [string, KeyWrapping] {
  return [name, { bits, encodeMessage }];
}

/** @returns the encrypted key, as long as the modulus */
export function wrapKey({ encodeMessage }: KeyWrapping, publicKey: RsaPublicKey, sessionKey: Uint8Array): Uint8Array {
  const block = encodeMessage(sessionKey, publicKey.bytes);
  const wrapped = encryptBlock(publicKey, block);
  block.fill(0);
  return wrapped;
}

/** RSAES-PKCS1-v1_5 (RFC 8017, section 7.2.1): 00 02 PS 00 M, where PS is at least 8 random bytes without zeros. */
function encodePkcs1(message: Uint8Array, blockBytes: number): Uint8Array {
  const fillerBytes = blockBytes - message.length - 3;
  if (fillerBytes < 8) throw new Error('Message too long for RSA');
  return concatenate(Uint8Array.of(0, 2), randomNonZeroBytes(fillerBytes), Uint8Array.of(0), message);
}

/** RSAES-OAEP, SHA-256, empty label (RFC 8017, section 7.1.1): 00 seed DB; DB is hash of the label, zeros, 01, M. */
function encodeOaep(message: Uint8Array, blockBytes: number): Uint8Array {
  const label = sha256(new Uint8Array(0));
  const zeros = blockBytes - message.length - 2 * label.length - 2;
  if (zeros < 0) throw new Error('Message too long for RSA');
  const data = concatenate(label, new Uint8Array(zeros), Uint8Array.of(1), message);
  const seed = randomBytes(label.length);
  const maskedData = masked(data, seed);
  data.fill(0);
  return concatenate(Uint8Array.of(0), masked(seed, maskedData), maskedData);
}

function sha256(bytes: Uint8Array): Uint8Array {
  const digest = forge.md.sha256.create().update(forge.util.binary.raw.encode(bytes)).digest();
  return forge.util.binary.raw.decode(digest.getBytes());
}

/** XOR with the MGF1 mask of a seed (RFC 8017, section B.2.1). */
function masked(bytes: Uint8Array, seed: Uint8Array): Uint8Array {
  const generator = forge.mgf.mgf1.create(forge.md.sha256.create());
  const mask: string = generator.generate(forge.util.binary.raw.encode(seed), bytes.length);
  return bytes.map((byte, at) => byte ^ mask.charCodeAt(at));
}
