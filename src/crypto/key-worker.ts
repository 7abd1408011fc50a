import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

/** A request of the pool: the bits of the modulus. */
export type KeyOrder = number;

/** What a thread is started with: that of the process for pairs that somebody waits for, the lowest for those kept ready. */
export type KeyPriority = 'usual' | 'lowest';

export interface MadeKey {
  readonly privateKey: KeyObject;
  /** Lower-case hex. */
  readonly modulus: string;
  readonly exponent: string;
}

const keyPriority: KeyPriority = workerData;
try {
  // on Linux this sets the priority of the calling thread, not of the process
  if (keyPriority === 'lowest' && process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
} catch {
  // if the system does not allow it, keys are generated at normal priority
}

parentPort?.on('message', (bits: KeyOrder) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: 0x10001 });
  // not as JWK: for that Node 20 locks the pair, allocates, and a collection just then that finds what made the pair waits for the
  // same lock for ever; and a second key, read from DER, takes a hundred times as long
  const [modulus = '', exponent = ''] = integersOf(publicKey.export({ type: 'pkcs1', format: 'der' }));
  const made: MadeKey = { privateKey, modulus, exponent };
  parentPort?.postMessage(made);
});

/** Of a SEQUENCE of positive INTEGERs in DER (RFC 8017, appendix A.1.1), in hex. */
function integersOf(der: Buffer): string[] {
  const found: string[] = [];
  for (let at = contentOf(der, 0).start; at < der.length; ) {
    const { start, end } = contentOf(der, at);
    // a 0 keeps what follows from being negative
    found.push(der.toString('hex', der[start] === 0 ? start + 1 : start, end));
    at = end;
  }
  return found;
}

/** Where the content of what begins at a position is: a length of 128 and more is preceded by how many bytes it has (X.690, 8.1.3). */
function contentOf(der: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = der[at + 1] ?? 0;
  const lengthBytes = first & 0x80 ? first & 0x7f : 0;
  const start = at + 2 + lengthBytes;
  return { start, end: start + (lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes)) };
}
