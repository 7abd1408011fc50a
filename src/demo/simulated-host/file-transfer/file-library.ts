import { asciiOfCode, codeOfAscii } from '../../../tn3270/file-transfer/transfer-content.js';

export const libraryLimits = { files: 200, bytes: 32 * 1024 * 1024, bytesOfFile: 8 * 1024 * 1024 } as const;

interface HostFile {
  readonly records: readonly Uint8Array[];
  /** True if the last record was not terminated, so that appended data continues it. */
  readonly isOpenEnded: boolean;
}

interface FileForm {
  /** ASCII option: data on the line is translated. */
  readonly text: boolean;
  /** CRLF option: each record on the line ends with CR LF. */
  readonly lines: boolean;
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const EBCDIC_LINE_FEED = 0x25;

/** Size-limited files in memory, shared by all terminals. */
export class FileLibrary {
  readonly #files = new Map<string, HostFile>();
  readonly #shipped: (name: string) => readonly string[] | undefined;
  readonly #encode: (text: string) => Uint8Array;
  #bytes = 0;

  constructor(encode: (text: string) => Uint8Array, shipped: (name: string) => readonly string[] | undefined) {
    this.#encode = encode;
    this.#shipped = shipped;
  }

  get names(): string[] {
    return [...this.#files.keys()].sort();
  }

  read(name: string, form: FileForm): Uint8Array | undefined {
    const file = this.#find(name);
    if (file === undefined) return undefined;
    const pieces: Uint8Array[] = [];
    for (const [at, record] of file.records.entries()) {
      pieces.push(form.text ? mapped(record, asciiBytes) : record);
      const isLast = at === file.records.length - 1;
      if (form.lines && !(isLast && file.isOpenEnded)) pieces.push(form.text ? lineEnd : ebcdicLineEnd);
    }
    return Uint8Array.from(Buffer.concat(pieces));
  }

  /** @returns error message of IND$FILE, if any */
  write(name: string, sent: Uint8Array, form: FileForm, append: boolean): string | undefined {
    const before = append ? this.#find(name) : undefined;
    const bytes = sent.length + sizeOf(before);
    const freed = sizeOf(this.#files.get(name));
    const isNew = !this.#files.has(name);
    const { files, bytes: mostBytes, bytesOfFile } = libraryLimits;
    if (bytes > bytesOfFile || this.#bytes - freed + bytes > mostBytes || (isNew && this.#files.size >= files)) {
      return 'TRANS15   Required host storage unavailable: file transfer canceled';
    }
    this.#files.set(name, joined(before, fileOf(sent, form)));
    this.#bytes += bytes - freed;
    return undefined;
  }

  delete(name: string): boolean {
    this.#bytes -= sizeOf(this.#files.get(name));
    return this.#files.delete(name);
  }

  #find(name: string): HostFile | undefined {
    const lines = this.#files.has(name) ? undefined : this.#shipped(name);
    if (lines === undefined) return this.#files.get(name);
    return { records: lines.map((line) => this.#encode(line)), isOpenEnded: false };
  }
}

const lineEnd = Uint8Array.of(CARRIAGE_RETURN, LINE_FEED);
/** Without ASCII, line ends are EBCDIC like the rest of the data. */
const ebcdicLineEnd = Uint8Array.of(CARRIAGE_RETURN, EBCDIC_LINE_FEED);

function sizeOf(file: HostFile | undefined): number {
  return file?.records.reduce((sum, record) => sum + record.length, 0) ?? 0;
}

/** Bijective translation: bytes without graphic character in the ASCII table get one of the remaining codes. */
const hostCodes = new Uint8Array(256);
const asciiBytes = new Uint8Array(256);
const leftCodes = [...asciiOfCode.keys()].filter((code) => asciiOfCode[code] === 0);
for (const [byte, code] of codeOfAscii.entries()) {
  const given = code || (leftCodes.shift() ?? 0);
  hostCodes[byte] = given;
  asciiBytes[given] = byte;
}

function mapped(bytes: Uint8Array, table: Uint8Array): Uint8Array {
  return bytes.map((byte) => table[byte] as number);
}

function fileOf(sent: Uint8Array, { text, lines }: FileForm): HostFile {
  const inHostCodes = (bytes: Uint8Array) => (text ? mapped(bytes, hostCodes) : bytes);
  if (!lines) return { records: [inHostCodes(sent)], isOpenEnded: true };
  const records: Uint8Array[] = [];
  let start = 0;
  for (;;) {
    const end = endOfLine(sent, start, text);
    if (end < 0) break;
    records.push(inHostCodes(sent.subarray(start, end)));
    start = end + lineEnd.length;
  }
  const isOpenEnded = start < sent.length;
  if (isOpenEnded) records.push(inHostCodes(sent.subarray(start)));
  return { records, isOpenEnded };
}

/** Without ASCII, terminals may send line ends in either code. */
function endOfLine(bytes: Uint8Array, start: number, text: boolean): number {
  for (let at = bytes.indexOf(CARRIAGE_RETURN, start); at >= 0; at = bytes.indexOf(CARRIAGE_RETURN, at + 1)) {
    if (bytes[at + 1] === LINE_FEED || (!text && bytes[at + 1] === EBCDIC_LINE_FEED)) return at;
  }
  return -1;
}

function joined(before: HostFile | undefined, added: HostFile): HostFile {
  return before === undefined ? added : { ...added, records: [...before.records, ...added.records] };
}
