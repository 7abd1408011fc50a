import type { Log } from '../lib/log/log.js';
import { type ReadFault, type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import { type Chaining, ciphers, type FieldCipher } from './ciphers.js';
import { type KeyAlgorithm, keyAlgorithms } from './key-pair.js';

type Unpad = (padded: Uint8Array, blockBytes: number) => Uint8Array | undefined;

/** Paddings of the CRYPTn table (reference 3.1). In all three, the last byte is the number of padding bytes. */
export const paddings: ReadonlyMap<string, Unpad> = new Map<string, Unpad>([
  // RFC 5652, section 6.3: each byte is the number
  ['PKCS7', unpadding((byte, count) => byte === count)],
  // ANSI X9.23: zeros
  ['X9.23', unpadding((byte) => byte === 0)],
  // ISO 10126: any bytes
  ['ISO10126', unpadding(() => true)],
]);

/** Always examines a whole block, so that the time does not depend on the position of an error. */
function unpadding(isPadding: (byte: number, count: number) => boolean): Unpad {
  return (padded, blockBytes) => {
    const count = padded.at(-1) ?? 0;
    let wrong = Number(count === 0) | Number(count > blockBytes) | Number(count > padded.length);
    for (let back = 2; back <= blockBytes; back++) {
      const counts = Number(back <= count);
      wrong |= counts & Number(!isPadding(padded[padded.length - back] ?? 0, count));
    }
    return wrong === 0 ? padded.subarray(0, padded.length - count) : undefined;
  };
}

/** Field values are sent as encoded UTF-8, not encrypted (specification 2.6, "null CRYPTn parameter"). */
interface NullCryptDefinition {
  readonly kind: 'null';
  readonly name: string;
  /** Name, cipher, key algorithm, provider, encoding, chaining, padding, in the order of ENCRYPTION-PARAMETERS. */
  readonly members: readonly string[];
  readonly encoding: FieldEncoding;
  readonly strength: 0;
}

/** Field values are encrypted with a session key, which is encrypted with the connection's public key. */
export interface FullCryptDefinition {
  readonly kind: 'full';
  readonly name: string;
  readonly members: readonly string[];
  readonly encoding: FieldEncoding;
  readonly cipher: FieldCipher;
  readonly chaining: Chaining;
  /** Separator between session code, field ID and request number in the additional data of GCM. */
  readonly bindingSeparator: string;
  readonly unpad: Unpad | undefined;
  readonly keyAlgorithm: KeyAlgorithm;
  /** Strength of the weakest part, in bits. */
  readonly strength: number;
}

export type CryptDefinition = NullCryptDefinition | FullCryptDefinition;
export type FieldEncoding = 'HEX' | 'BASE64';

const NO_ENCRYPTION = 'NO-ENCRYPTION';
const NO_CIPHER = 'NONE';
/** ICSF is a cryptographic facility of other systems; NODE and ICSF both use the keys of this process. */
const providers = ['NODE', 'ICSF', NO_ENCRYPTION];
/** GCM2 is GCM with separators in its additional data. Without them, `A1` and `23` are equal to `A12` and `3`. */
const chainings: ReadonlyMap<string, { readonly chaining: Chaining; readonly bindingSeparator: string }> = new Map([
  ['CBC', { chaining: 'CBC', bindingSeparator: '' }],
  ['ECB', { chaining: 'ECB', bindingSeparator: '' }],
  ['GCM', { chaining: 'GCM', bindingSeparator: '' }],
  ['GCM2', { chaining: 'GCM', bindingSeparator: '\0' }],
]);
const NO_PADDING = 'NONE';
/** A lower strength causes a warning at startup (NIST SP 800-131A). */
export const SUFFICIENT_STRENGTH = 112;
export const RECOMMENDED_MEMBERS = 'AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE';

/** Defaults of missing members (reference 3.1). */
const byDefault = ['', NO_CIPHER, NO_CIPHER, NO_ENCRYPTION, 'HEX', 'CBC'] as const;

/**
 * Reads a CRYPTn tuple (specification 2.6, reference 3.1). Default chaining: CBC; default padding: PKCS7. A name
 * without other members is a null tuple.
 */
export function readCryptDefinition(written: readonly string[]): ReadOutcome<CryptDefinition> {
  const [name = '', cipherName = '', algorithmName = '', provider = '', encoding = '', chainingName = ''] =
    byDefault.map((usual, at) => written[at] || usual);
  const chained = chainings.get(chainingName);
  const isGcm = chained?.chaining === 'GCM';
  const writtenPadding = written[byDefault.length];
  // only a null tuple may have empty members up to its end
  const isLeftOut = writtenPadding === undefined || (writtenPadding === '' && cipherName === NO_CIPHER);
  const padding = isLeftOut ? (isGcm ? NO_PADDING : 'PKCS7') : writtenPadding;
  const members = [name, cipherName, algorithmName, provider, encoding, chainingName, padding];
  const none = [cipherName, algorithmName].filter((member) => member === NO_CIPHER).length;
  const cipher = ciphers.get(cipherName);
  const keyAlgorithm = keyAlgorithms.get(algorithmName);
  const unpad = paddings.get(padding);
  if (cipher === undefined && cipherName !== NO_CIPHER)
    return oneOf('cipher', [NO_CIPHER, ...ciphers.keys()], cipherName);
  if (keyAlgorithm === undefined && algorithmName !== NO_CIPHER) {
    return oneOf('key algorithm', [NO_CIPHER, ...keyAlgorithms.keys()], algorithmName);
  }
  if (!providers.includes(provider)) return oneOf('provider', providers, provider);
  if (encoding !== 'HEX' && encoding !== 'BASE64') return oneOf('encoding', ['HEX', 'BASE64'], encoding);
  if (chained === undefined) return oneOf('chaining', [...chainings.keys()], chainingName);
  if (unpad === undefined && padding !== NO_PADDING) return oneOf('padding', [...paddings.keys(), 'NONE'], padding);
  if ((provider === NO_ENCRYPTION) !== (none === 2) || none === 1) {
    return readFault('expected cipher NONE, key algorithm NONE and provider NO-ENCRYPTION together, or none of them');
  }
  if (cipher === undefined || keyAlgorithm === undefined)
    return readAs({ kind: 'null', name, members, encoding, strength: 0 });
  if (isGcm !== (unpad === undefined))
    return readFault('expected padding NONE with chaining GCM, and with no other chaining');
  if (isGcm && !cipherName.startsWith('AES')) return readFault('expected an AES cipher with chaining GCM');
  return readAs({
    kind: 'full',
    name,
    members,
    encoding,
    cipher,
    ...chained,
    unpad,
    keyAlgorithm,
    strength: Math.min(cipher.strength, keyAlgorithm.strength),
  });
}

function oneOf(what: string, allowed: readonly string[], found: string): ReadFault {
  return readFault(`expected a ${what} of ${allowed.join(', ')}, found "${found}"`);
}

/** Logs a CRYPTn tuple at startup with all its members, including defaults (specification 2.6). */
export function logFieldEncryption(log: Log, { members, strength }: CryptDefinition): void {
  const [crypt, cipher, keyAlgorithm, provider, encoding, chaining, padding] = members;
  log.info(
    { crypt, cipher, keyAlgorithm, provider, encoding, chaining, padding, strength },
    `field encryption is initialised: (${members.join(',')}), ${strength} bits of strength`,
  );
}
