import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** Request of the pool: the length of the modulus in bits. */
export type KeyOrder = number;

/** `usual`: priority of the process, for waiting requests; `lowest`: for pairs in advance. */
export type KeyPriority = 'usual' | 'lowest';

export interface MadeKey {
  readonly privateKey: KeyObject;
  /** Lower-case hex. */
  readonly modulus: string;
  readonly exponent: string;
}

const keyPriority: KeyPriority = workerData;
try {
  // on Linux, this sets the priority of the calling thread instead of the process
  if (keyPriority === 'lowest' && process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
} catch {
  // not permitted: generate keys at normal priority
}

parentPort?.on('message', (bits: KeyOrder) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: 0x10001 });
  // JWK export can deadlock on Node 20: it locks the pair and allocates, and a garbage collection at that time may wait
  // for the same lock. Creating a second key from DER takes a hundred times as long.
  const [modulus = '', exponent = ''] = integersOf(publicKey.export({ type: 'pkcs1', format: 'der' }));
  const made: MadeKey = { privateKey, modulus, exponent };
  parentPort?.postMessage(made);
});

/** Reads a DER SEQUENCE of positive INTEGERs as hex (RFC 8017, appendix A.1.1). */
function integersOf(der: Buffer): string[] {
  const found: string[] = [];
  for (let at = contentOf(der, 0).start; at < der.length; ) {
    const { start, end } = contentOf(der, at);
    // skip the leading 0 that marks a number as positive
    found.push(der.toString('hex', der[start] === 0 ? start + 1 : start, end));
    at = end;
  }
  return found;
}

/** Range of an element's content in DER; lengths from 128 on are preceded by their number of bytes (X.690, 8.1.3). */
function contentOf(der: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = der[at + 1] ?? 0;
  const lengthBytes = first & 0x80 ? first & 0x7f : 0;
  const start = at + 2 + lengthBytes;
  return { start, end: start + (lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes)) };
}
