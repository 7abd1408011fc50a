/** How the session key travels. */
export interface KeyAlgorithm {
  /** Of the modulus. */
  readonly bits: number;
  readonly wrapping: 'RSAES-PKCS1-v1_5' | 'RSAES-OAEP';
  /** Bits of strength (NIST SP 800-57 part 1, table 2). */
  readonly strength: number;
}

/** The key algorithms of the CRYPTn table; RSA-OAEP is with SHA-256 (RFC 8017, section 7.1). */
export const keyAlgorithms: ReadonlyMap<string, KeyAlgorithm> = new Map([
  ['RSA-512', algorithm(512, 56)],
  ['RSA-1024', algorithm(1024, 80)],
  ['RSA-2048', algorithm(2048, 112)],
  ['RSA-3072', algorithm(3072, 128)],
  ['RSA-4096', algorithm(4096, 152)],
  ['RSA-OAEP-2048', algorithm(2048, 112, 'RSAES-OAEP')],
  ['RSA-OAEP-3072', algorithm(3072, 128, 'RSAES-OAEP')],
  ['RSA-OAEP-4096', algorithm(4096, 152, 'RSAES-OAEP')],
]);

function algorithm(bits: number, strength: number, wrapping: KeyAlgorithm['wrapping'] = 'RSAES-PKCS1-v1_5') {
  return { bits, wrapping, strength } satisfies KeyAlgorithm;
}
