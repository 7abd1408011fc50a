/** Takes the padding off whole blocks. @returns undefined where it is not as it must be */
export type Unpad = (padded: Uint8Array, blockBytes: number) => Uint8Array | undefined;

/** The paddings of the CRYPTn table (reference 3.1); the last byte is the number of bytes of padding in all three. */
export const paddings: ReadonlyMap<string, Unpad> = new Map<string, Unpad>([
  // RFC 5652, section 6.3: every byte of it is that number
  ['PKCS7', unpadding((byte, count) => byte === count)],
  // ANSI X9.23: zeros
  ['X9.23', unpadding((byte) => byte === 0)],
  // ISO 10126: anything
  ['ISO10126', unpadding(() => true)],
]);

/** Looks at a whole block in any case, so that the time tells nothing of where a padding is wrong. */
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
