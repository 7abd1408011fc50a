/** Offsets in a BIND request unit, as a BIND-IMAGE record carries it (SNA Formats, "BIND"). */
const offsets = {
  defaultRows: 20,
  defaultColumns: 21,
  alternateRows: 22,
  alternateColumns: 23,
  sizeCode: 24,
  primaryNameLength: 27,
  primaryName: 28,
} as const;

const BIND = 0x31;
const LONGEST_NAME = 8;

interface BindSize {
  readonly rows: number;
  readonly columns: number;
}

interface BindImage {
  /** Undefined if the BIND leaves the sizes to the terminal; `alternate` is undefined for the terminal's own. */
  readonly sizes: { readonly default: BindSize; readonly alternate: BindSize | undefined } | undefined;
  /** EBCDIC, at most 8 bytes. */
  readonly primaryName: Uint8Array;
}

const MODEL_2: BindSize = { rows: 24, columns: 80 };

/** Values missing in a short BIND read as 0. Undefined if the bytes are not a BIND. */
export function decodeBindImage(bytes: Uint8Array): BindImage | undefined {
  if (bytes[0] !== BIND) return undefined;
  const nameLength = Math.min(bytes[offsets.primaryNameLength] ?? 0, LONGEST_NAME);
  return {
    sizes: decodeSizes(bytes),
    primaryName: bytes.slice(offsets.primaryName, offsets.primaryName + nameLength),
  };
}

function decodeSizes(bytes: Uint8Array): BindImage['sizes'] {
  const given = sizeAt(bytes, offsets.defaultRows);
  switch (bytes[offsets.sizeCode]) {
    case 0x00:
    case 0x02:
      return { default: MODEL_2, alternate: MODEL_2 };
    case 0x03:
      return { default: MODEL_2, alternate: undefined };
    case 0x7e:
      return { default: given, alternate: given };
    case 0x7f:
      return { default: given, alternate: sizeAt(bytes, offsets.alternateRows) };
    default:
      return undefined;
  }
}

function sizeAt(bytes: Uint8Array, at: number): BindSize {
  return { rows: bytes[at] ?? 0, columns: bytes[at + 1] ?? 0 };
}

/** Encodes a BIND as VTAM does. An undefined `alternateSize` means the terminal's own; `name` is EBCDIC. */
export function encodeBindImage(
  defaultSize: BindSize,
  alternateSize: BindSize | undefined,
  name: Uint8Array,
): Uint8Array {
  const primaryName = name.subarray(0, LONGEST_NAME);
  const bytes = new Uint8Array(offsets.primaryName + primaryName.length + 1);
  bytes.set([BIND, 0x01, 0x03, 0x03, 0xb1, 0x90, 0x30, 0x80, 0x00, 0x87, 0x87, 0xf8, 0x87, 0x00, 0x02, 0x80]);
  if (alternateSize === undefined) bytes[offsets.sizeCode] = 0x03;
  else {
    const { rows, columns } = alternateSize;
    bytes.set([defaultSize.rows, defaultSize.columns, rows, columns, 0x7f], offsets.defaultRows);
  }
  bytes[offsets.primaryNameLength] = primaryName.length;
  bytes.set(primaryName, offsets.primaryName);
  return bytes;
}

/** The data byte of an UNBIND record (RFC 2355, section 8.1.2). */
export const unbindReasons = { normal: 0x01, bindForthcoming: 0x02 } as const;
