import { FieldEncryption, parseEncryptionParameters } from '../crypto/field-encryption.js';

/**
 * Reads the first element with `data-encryption-parameters` that the server has filled in.
 * @returns undefined if fields are sent in clear
 * @throws Error with a message for the user if this browser does not support the configuration
 */
export function pageEncryption(): FieldEncryption | undefined {
  for (const element of document.querySelectorAll<HTMLElement>('[data-encryption-parameters]')) {
    const { encryptionParameters = '', modulus = '', exponent = '' } = element.dataset;
    const parameters = parseEncryptionParameters(encryptionParameters);
    if (parameters !== undefined) return new FieldEncryption(parameters, { modulus, exponent });
  }
  const { encryption = '' } = document.body.dataset;
  // the session is encrypted but the page has no parameters: do not send secrets
  if (encryption !== '') throw new Error(`the product CRYPT parameters are missing: ${encryption}`);
  return undefined;
}
