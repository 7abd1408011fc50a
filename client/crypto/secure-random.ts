/** Random bytes of the browser's generator, which plain http pages have too (Web Cryptography API, section 10.1). */
export function randomBytes(count: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(count));
}

/** The same without zeros, each of the other 255 values as likely as any. */
export function randomNonZeroBytes(count: number): Uint8Array {
  const bytes = randomBytes(count);
  for (let at = 0; at < count; at++) {
    while (bytes[at] === 0) bytes.set(randomBytes(1), at);
  }
  return bytes;
}
