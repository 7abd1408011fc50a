import { blockPaddings, type Pad } from './block-paddings.js';
import { type KeyWrapping, keyWrappings, wrapKey } from './key-wrapping.js';
import { type RsaPublicKey, readRsaPublicKey } from './rsa-public-key.js';
import { randomBytes } from './secure-random.js';
import { encryptBlocks, type SymmetricCipher, sealGcm, symmetricCiphers } from './symmetric-ciphers.js';
import { bytesOf, concatenate, type WireEncoding, wireEncodings } from './wire-encoding.js';

/** The members of a CRYPTn tuple (reference 3.1). */
interface EncryptionParameters {
  name: string;
  cipher: string;
  keyAlgorithm: string;
  provider: string;
  encoding: string;
  chaining: string;
  padding: string;
}

/** Fields travel as their character codes. */
interface NullProfile {
  readonly kind: 'null';
  readonly encode: WireEncoding;
}

/** Fields travel encrypted under a session key, which travels encrypted under the connection's public key. */
interface FullProfile {
  readonly kind: 'full';
  readonly encode: WireEncoding;
  readonly cipher: SymmetricCipher;
  readonly chaining: Chaining;
  /** Between the parts of what GCM binds a value to. */
  readonly bindingSeparator: string;
  /** Not called for GCM, which needs none. */
  readonly pad: Pad;
  readonly wrapping: KeyWrapping;
  readonly publicKey: RsaPublicKey;
}

type Chaining = 'CBC' | 'ECB' | 'GCM';

/** GCM2 is GCM whose bound data has separators. */
const chainings: ReadonlyMap<string, { readonly chaining: Chaining; readonly bindingSeparator: string }> = new Map([
  ['CBC', { chaining: 'CBC', bindingSeparator: '' }],
  ['ECB', { chaining: 'ECB', bindingSeparator: '' }],
  ['GCM', { chaining: 'GCM', bindingSeparator: '' }],
  ['GCM2', { chaining: 'GCM', bindingSeparator: '\0' }],
]);

const sevenMembers = /^\s*'[^']*'(?:\s*,\s*'[^']*'){6}\s*$/;

/**
 * @param text as ENCRYPTION-PARAMETERS inserts it: `'CRYPT3270','3TDEA','RSA-1024','NODE','HEX','CBC','PKCS7'`
 * @returns undefined where there is no text: the site encrypts no fields
 * @throws Error where there is a text, but not of seven members: no password may go out in clear for a mistake
 */
export function parseEncryptionParameters(text: string): EncryptionParameters | undefined {
  if (text.trim() === '') return undefined;
  if (!sevenMembers.test(text)) throw new Error('the product CRYPT parameters are missing');
  const members = Array.from(text.matchAll(/'([^']*)'/g), ([, member = '']) => member);
  const [name = '', cipher = '', keyAlgorithm = '', provider = '', encoding = '', chaining = '', padding = ''] =
    members;
  return { name, cipher, keyAlgorithm, provider, encoding, chaining, padding };
}

/**
 * The field encryption of one connection. It overwrites its own bytes of a key; what the engine keeps of the copies that
 * ciphers work on is gone when it is collected.
 */
export class FieldEncryption {
  readonly #profile: NullProfile | FullProfile;
  #sessionKey: { readonly key: Uint8Array; readonly iv: Uint8Array } | undefined;

  /**
   * @param publicKey hex, as PUBLIC-KEY inserts it; not looked at in the null mode
   * @throws Error with the words of reference 3.5
   */
  constructor(parameters: EncryptionParameters, publicKey: { modulus: string; exponent: string }) {
    this.#profile = profileOf(parameters, publicKey);
  }

  /** Chooses another key. @returns the content of SESSKEY, empty in the null mode */
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
   * @param value an empty one stays empty: the server takes such a field for not touched
   * @param binding what GCM binds the value to: session code, field id, request number
   * @throws Error where no session key is chosen
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

  /** Overwrites the session key. */
  forget(): void {
    this.#sessionKey?.key.fill(0);
    this.#sessionKey?.iv.fill(0);
    this.#sessionKey = undefined;
  }
}

const noPadding: Pad = (value) => value;

/** What the server would not take is refused here too, before anything is sent under it. */
function profileOf(parameters: EncryptionParameters, key: { modulus: string; exponent: string }) {
  const { cipher: cipherName, keyAlgorithm, provider, encoding, chaining: chainingName, padding } = parameters;
  const isNull = cipherName === 'NONE' && keyAlgorithm === 'NONE' && provider === 'NO-ENCRYPTION';
  const encode = wireEncodings.get(encoding) ?? unsupported('encoding method', encoding);
  if (isNull) {
    // the trace of reference 3.2 has it in upper case, and what is encrypted in lower case
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
