/** Uses `getRandomValues`, which is available on plain HTTP pages too (Web Cryptography API, section 10.1). */
export function randomBytes(count: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(count));
}

/** Uniformly distributed over 1 to 255. */
export function randomNonZeroBytes(count: number): Uint8Array {
  const bytes = randomBytes(count);
  for (let at = 0; at < count; at++) {
    while (bytes[at] === 0) bytes.set(randomBytes(1), at);
  }
  return bytes;
}
