const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What base64 (RFC 4648, both alphabets, white space allowed) holds; undefined if it is none.
 * `text`: read as UTF-8, or one character a byte where it is not UTF-8; `bytes`: always one character a byte.
 */
export function decodeBase64(encoded: string, as: 'text' | 'bytes'): string | undefined {
  const characters = encoded.replace(/[\t\n\r ]+/g, '');
  const data = characters.endsWith('==') ? characters.slice(0, -2) : characters.replace(/=$/, '');
  if (data.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*$/.test(data)) return undefined;
  const bytes = Buffer.from(data, 'base64');
  if (as === 'bytes') return bytes.toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** The reverse of `decodeBase64`. Characters past U+00FF are no `bytes`: their low byte is taken. */
export function encodeBase64(decoded: string, as: 'text' | 'bytes'): string {
  return Buffer.from(decoded, as === 'text' ? 'utf8' : 'latin1').toString('base64');
}
