import type { Log } from '../lib/log/log.js';
import type { CryptDefinition } from './crypt-definition.js';

/** The line of the start-up log for a CRYPTn tuple (specification 2.6): all its members, also those that were not written. */
export function logFieldEncryption(log: Log, { members, strength }: CryptDefinition): void {
  const [crypt, cipher, keyAlgorithm, provider, encoding, chaining, padding] = members;
  log.info(
    { crypt, cipher, keyAlgorithm, provider, encoding, chaining, padding, strength },
    `field encryption is initialised: (${members.join(',')}), ${strength} bits of strength`,
  );
}
