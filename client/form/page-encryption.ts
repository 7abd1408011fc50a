import { FieldEncryption, parseEncryptionParameters } from '../crypto/field-encryption.js';

/**
 * The encryption that a page asks for: the first element with `data-encryption-parameters` that the server has filled in.
 * @returns undefined where fields travel in clear
 * @throws Error in words for the user, where this browser cannot do what is configured
 */
export function pageEncryption(): FieldEncryption | undefined {
  for (const element of document.querySelectorAll<HTMLElement>('[data-encryption-parameters]')) {
    const { encryptionParameters = '', modulus = '', exponent = '' } = element.dataset;
    const parameters = parseEncryptionParameters(encryptionParameters);
    if (parameters !== undefined) return new FieldEncryption(parameters, { modulus, exponent });
  }
  const { encryption = '' } = document.body.dataset;
  // the session encrypts, and the page does not know how: nothing secret may leave it
  if (encryption !== '') throw new Error(`the product CRYPT parameters are missing: ${encryption}`);
  return undefined;
}
