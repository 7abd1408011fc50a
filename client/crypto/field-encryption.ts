import { blockPaddings, type Pad } from './block-paddings.js';
import { type KeyWrapping, keyWrappings, wrapKey } from './key-wrapping.js';
import { type RsaPublicKey, readRsaPublicKey } from './rsa-public-key.js';
import { randomBytes } from './secure-random.js';
import { encryptBlocks, type SymmetricCipher, sealGcm, symmetricCiphers } from './symmetric-ciphers.js';
import { bytesOf, concatenate, type WireEncoding, wireEncodings } from './wire-encoding.js';

interface EncryptionParameters {
  name: string;
  cipher: string;
  keyAlgorithm: string;
  provider: string;
  encoding: string;
  chaining: string;
  padding: string;
}

/** Fields are sent as character codes. */
interface NullProfile {
  readonly kind: 'null';
  readonly encode: WireEncoding;
}

/** Fields are encrypted with a session key, which is encrypted with the public key of the connection. */
interface FullProfile {
  readonly kind: 'full';
  readonly encode: WireEncoding;
  readonly cipher: SymmetricCipher;
  readonly chaining: Chaining;
  /** Separates the parts of the additional data of GCM. */
  readonly bindingSeparator: string;
  /** Not called for GCM. */
  readonly pad: Pad;
  readonly wrapping: KeyWrapping;
  readonly publicKey: RsaPublicKey;
}

type Chaining = 'CBC' | 'ECB' | 'GCM';

/** GCM2 is GCM with separators in the additional data. */
const chainings: ReadonlyMap<string, { readonly chaining: Chaining; readonly bindingSeparator: string }> = new Map([
  ['CBC', { chaining: 'CBC', bindingSeparator: '' }],
  ['ECB', { chaining: 'ECB', bindingSeparator: '' }],
  ['GCM', { chaining: 'GCM', bindingSeparator: '' }],
  ['GCM2', { chaining: 'GCM', bindingSeparator: '\0' }],
]);

const sevenMembers = /^\s*'[^']*'(?:\s*,\s*'[^']*'){6}\s*$/;

/**
 * @param text the value of ENCRYPTION-PARAMETERS: `'CRYPT3270','3TDEA','RSA-1024','NODE','HEX','CBC','PKCS7'`
 * @returns undefined if the text is empty: the site does not encrypt fields
 * @throws Error if the text does not have seven members: a configuration error must not send passwords in clear
 */
export function parseEncryptionParameters(text: string): EncryptionParameters | undefined {
  if (text.trim() === '') return undefined;
  if (!sevenMembers.test(text)) throw new Error('the product CRYPT parameters are missing');
  const members = Array.from(text.matchAll(/'([^']*)'/g), ([, member = '']) => member);
  const [name = '', cipher = '', keyAlgorithm = '', provider = '', encoding = '', chaining = '', padding = ''] =
    members;
  return { name, cipher, keyAlgorithm, provider, encoding, chaining, padding };
}

/** It overwrites its own key bytes; copies inside the ciphers remain until garbage collection. */
export class FieldEncryption {
  readonly #profile: NullProfile | FullProfile;
  #sessionKey: { readonly key: Uint8Array; readonly iv: Uint8Array } | undefined;

  /**
   * @param publicKey hex, the value of PUBLIC-KEY; ignored in the null mode
   * @throws Error with the texts of reference 3.5
   */
  constructor(parameters: EncryptionParameters, publicKey: { modulus: string; exponent: string }) {
    this.#profile = profileOf(parameters, publicKey);
  }

  /** Chooses a new session key. @returns the value of SESSKEY, empty in the null mode */
  newSessionKey(): string {
    const profile = this.#profile;
    this.forget();
    if (profile.kind === 'null') return '';
    const { cipher, chaining, wrapping, publicKey, encode } = profile;
    const key = randomBytes(cipher.keyBytes);
    const iv = randomBytes(chaining === 'CBC' ? cipher.blockBytes : 0);
    const both = concatenate(key, iv);
    const wrapped = encode(wrapKey(wrapping, publicKey, both));
    both.fill(0);
    this.#sessionKey = { key, iv };
    return wrapped;
  }

  /**
   * @param value an empty value stays empty: the server treats such a field as unchanged
   * @param binding additional data of GCM: session code, field id, request number
   * @throws Error if no session key was chosen
   */
  encrypt(value: string, ...binding: readonly string[]): string {
    const profile = this.#profile;
    if (value === '') return '';
    const bytes = bytesOf(value);
    if (profile.kind === 'null') return profile.encode(bytes);
    if (this.#sessionKey === undefined) throw new Error('There is no session key to encrypt with');
    const { key, iv } = this.#sessionKey;
    const { cipher, chaining, bindingSeparator, pad, encode } = profile;
    return encode(
      chaining === 'GCM'
        ? sealGcm(cipher, key, bytes, bytesOf(binding.join(bindingSeparator)))
        : encryptBlocks(cipher, chaining, key, iv, pad(bytes, cipher.blockBytes)),
    );
  }

  forget(): void {
    this.#sessionKey?.key.fill(0);
    this.#sessionKey?.iv.fill(0);
    this.#sessionKey = undefined;
  }
}

const noPadding: Pad = (value) => value;

/** Rejects profiles that the server would reject, before anything is sent. */
function profileOf(parameters: EncryptionParameters, key: { modulus: string; exponent: string }) {
  const { cipher: cipherName, keyAlgorithm, provider, encoding, chaining: chainingName, padding } = parameters;
  const isNull = cipherName === 'NONE' && keyAlgorithm === 'NONE' && provider === 'NO-ENCRYPTION';
  const encode = wireEncodings.get(encoding) ?? unsupported('encoding method', encoding);
  if (isNull) {
    // the trace in reference 3.2 uses upper case here and lower case for encrypted values
    const encodeNull: WireEncoding = encoding === 'HEX' ? (bytes) => encode(bytes).toUpperCase() : encode;
    return { kind: 'null', encode: encodeNull } satisfies NullProfile;
  }
  const cipher = symmetricCiphers.get(cipherName) ?? unsupported('encryption algorithm', cipherName);
  const wrapping = keyWrappings.get(keyAlgorithm) ?? unsupported('PKA algorithm', keyAlgorithm);
  if (provider !== 'NODE' && provider !== 'ICSF') unsupported('encryption engine', provider);
  const chained = chainings.get(chainingName) ?? unsupported('chaining method', chainingName);
  const { chaining } = chained;
  if (chaining === 'GCM' && cipher.family !== 'AES') return unsupported('chaining method', chainingName);
  const pad = chaining === 'GCM' && padding === 'NONE' ? noPadding : blockPaddings.get(padding);
  if (pad === undefined || (chaining === 'GCM' && pad !== noPadding)) return unsupported('padding method', padding);
  const publicKey = readRsaPublicKey(key.modulus, key.exponent, wrapping.bits);
  return { kind: 'full', encode, cipher, ...chained, pad, wrapping, publicKey } satisfies FullProfile;
}

function unsupported(what: string, found: string): never {
  throw new Error(`Unsupported ${what}: ${found}`);
}
