import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
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
  // not of the pair itself: for JWK Node 20 locks it, allocates, and a collection just then that finds what made the pair waits
  // for the same lock for ever
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const { n = '', e = '' } = createPublicKey({ key: der, type: 'spki', format: 'der' }).export({ format: 'jwk' });
  const made: MadeKey = { privateKey, modulus: hexOf(n), exponent: hexOf(e) };
  parentPort?.postMessage(made);
});

function hexOf(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('hex');
}
