import { hexOf } from './wire-encoding.js';

export interface RsaPublicKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  /** Length of the modulus. */
  readonly bytes: number;
}

const INVALID = 'Invalid RSA public key';
const hexadecimal = /^[0-9a-f]+$/i;

/**
 * @param modulus hex, the value of PUBLIC-KEY
 * @param exponent hex
 * @param bits required length of the modulus; the server decrypts with this length
 * @throws Error with the texts of reference 3.5
 */
export function readRsaPublicKey(modulus: string, exponent: string, bits: number): RsaPublicKey {
  if (modulus === '' || exponent === '') throw new Error('Unable to obtain public key from the product');
  const key = { modulus: numberOf(modulus, bits), exponent: numberOf(exponent, bits), bytes: bits / 8 };
  const fits = key.modulus >> BigInt(bits - 1) === 1n && key.exponent >= 3n && key.exponent < key.modulus;
  // RSA requires an odd modulus and an odd exponent
  if (!fits || !isOdd(key.modulus) || !isOdd(key.exponent)) throw new Error(INVALID);
  return key;
}

/** RSA of a block that is as long as the modulus and starts with zero (RFC 8017, sections 4 and 5.1.1). */
export function encryptBlock(key: RsaPublicKey, block: Uint8Array): Uint8Array {
  const power = powerOf(BigInt(`0x${hexOf(block)}`), key.exponent, key.modulus);
  const powerDigits = power.toString(16).padStart(key.bytes * 2, '0');
  return Uint8Array.from({ length: key.bytes }, (_, at) => Number.parseInt(powerDigits.slice(at * 2, at * 2 + 2), 16));
}

function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (isOdd(rest)) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function numberOf(digits: string, bits: number): bigint {
  // up to two leading zeros are common: they keep the number positive
  if (!hexadecimal.test(digits) || digits.length > bits / 4 + 2) throw new Error(INVALID);
  return BigInt(`0x${digits}`);
}

function isOdd(number: bigint): boolean {
  return (number & 1n) === 1n;
}
