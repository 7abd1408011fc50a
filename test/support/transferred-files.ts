/** Files that reveal transfer errors: empty, with every byte value, and with line ends at buffer boundaries. */
export function binaryFiles(bufferBytes: number): Record<string, Uint8Array> {
  const every = Uint8Array.from({ length: 256 }, (_, at) => at);
  return {
    empty: new Uint8Array(0),
    one: Uint8Array.of(0),
    every,
    everyTwice: Uint8Array.from([...every, ...every.toReversed()]),
    buffer: new Uint8Array(bufferBytes).fill(0xff),
    bufferAndOne: Uint8Array.from({ length: bufferBytes + 1 }, (_, at) => (at * 7) & 0xff),
  };
}

export const mebibyte = (): Uint8Array => Uint8Array.from({ length: 1 << 20 }, (_, at) => (at * 31 + (at >> 8)) & 0xff);

/** Lines of every length from `first` to `last`, each with a line end. */
export function linesOf(first: number, last: number): Uint8Array {
  const lines = Array.from(
    { length: last - first + 1 },
    (_, at) => `${'0123456789abcdef'.repeat(200).slice(0, first + at)}\n`,
  );
  return Buffer.from(lines.join(''));
}
