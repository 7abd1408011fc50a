import { IAC } from '../telnet/telnet-codes.js';

/** What a connection makes of the bytes that come and go. */
export interface LineBytes {
  readonly received: (chunk: Uint8Array) => Uint8Array;
  readonly sent: (bytes: Uint8Array) => Uint8Array;
}

export const telnetLine: LineBytes = { received: (chunk) => chunk, sent: (bytes) => bytes };

/** A line whose host does not speak TELNET: each 255 is data (doubled for those who read TELNET), and no command goes out. */
export const rawLine: LineBytes = {
  received: (chunk) => (chunk.includes(IAC) ? Buffer.from(Array.from(chunk, twice).flat()) : chunk),
  sent: (bytes) => {
    const data: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte !== IAC || bytes[++at] === IAC) data.push(byte);
    }
    return Uint8Array.from(data);
  },
};

function twice(byte: number): number | number[] {
  return byte === IAC ? [IAC, IAC] : byte;
}
