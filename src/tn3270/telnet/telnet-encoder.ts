import { IAC, type NegotiationVerb, telnetCommands } from './telnet-codes.js';

const NOTHING = new Uint8Array(0);

/** Encodes a record: each 255 doubled, followed by IAC EOR. */
export function encodeRecord(body: Uint8Array, header: Uint8Array = NOTHING): Uint8Array {
  return framed(NOTHING, [header, body], Uint8Array.of(IAC, telnetCommands.endOfRecord));
}

/** Encodes data outside records: each 255 doubled. */
export function encodeData(bytes: Uint8Array): Uint8Array {
  return framed(NOTHING, [bytes], NOTHING);
}

export function encodeNegotiation(verb: NegotiationVerb, option: number): Uint8Array {
  return Uint8Array.of(IAC, telnetCommands[verb], option);
}

export function encodeSubnegotiation(body: Uint8Array): Uint8Array {
  const start = Uint8Array.of(IAC, telnetCommands.subnegotiation);
  return framed(start, [body], Uint8Array.of(IAC, telnetCommands.subnegotiationEnd));
}

export function encodeCommand(code: number): Uint8Array {
  return Uint8Array.of(IAC, code);
}

function framed(start: Uint8Array, parts: readonly Uint8Array[], end: Uint8Array): Uint8Array {
  const doubled = parts.map(placesOfIac);
  let length = start.length + end.length;
  for (const [which, part] of parts.entries()) length += part.length + (doubled[which]?.length ?? 0);
  const bytes = new Uint8Array(length);
  bytes.set(start);
  let at = start.length;
  for (const [which, part] of parts.entries()) at = copyDoubled(part, doubled[which] ?? [], bytes, at);
  bytes.set(end, at);
  return bytes;
}

function placesOfIac(bytes: Uint8Array): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(IAC); at >= 0; at = bytes.indexOf(IAC, at + 1)) places.push(at);
  return places;
}

function copyDoubled(from: Uint8Array, doubled: readonly number[], to: Uint8Array, at: number): number {
  let target = at;
  let start = 0;
  for (const found of doubled) {
    to.set(from.subarray(start, found + 1), target);
    target += found + 1 - start;
    to[target++] = IAC;
    start = found + 1;
  }
  to.set(from.subarray(start), target);
  return target + from.length - start;
}
