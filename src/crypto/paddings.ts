/** Removes the padding from whole blocks. @returns undefined if it is invalid */
export type Unpad = (padded: Uint8Array, blockBytes: number) => Uint8Array | undefined;

/** The paddings of the CRYPTn table (reference 3.1); the last byte is the number of bytes of padding in all three. */
export const paddings: ReadonlyMap<string, Unpad> = new Map<string, Unpad>([
  // RFC 5652, section 6.3: every byte is the length
  ['PKCS7', unpadding((byte, count) => byte === count)],
  // ANSI X9.23: zeros
  ['X9.23', unpadding((byte) => byte === 0)],
  // ISO 10126: anything
  ['ISO10126', unpadding(() => true)],
]);

/** Always examines a whole block, so that the time does not reveal where the padding is wrong. */
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
