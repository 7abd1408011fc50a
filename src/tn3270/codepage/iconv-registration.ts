import iconv from 'iconv-lite';
import type { CodePage } from './code-page.js';
import { canonicalCodePageName, codePageAliases, codePageNumbers } from './code-page-names.js';
import { findCodePage } from './code-pages.js';
import { bracketCodePageNames } from './single-byte-code-page.js';

/** iconv-lite strips underscores from requested names, so callers cannot request this one. */
const CODEC_TYPE = '_codepage';

/** A piece may end within a surrogate pair. On a mixed page it may also end between shifts: `end` encodes the text. */
class CodePageEncoder {
  readonly #page: CodePage;
  #pending = '';

  constructor(_options: unknown, codec: CodePageCodec) {
    this.#page = codec.page;
  }

  write(piece: string): Buffer {
    const text = this.#pending + piece;
    if (this.#page.doubleByte !== undefined) {
      this.#pending = text;
      return Buffer.alloc(0);
    }
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff;
    this.#pending = cut ? text.slice(-1) : '';
    return this.#encode(cut ? text.slice(0, -1) : text);
  }

  end(): Buffer | undefined {
    if (this.#pending === '') return undefined;
    const rest = this.#encode(this.#pending);
    this.#pending = '';
    return rest;
  }

  #encode(text: string): Buffer {
    const bytes = this.#page.encode(text);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

class CodePageDecoder {
  readonly #page: CodePage;
  readonly #pieces: Uint8Array[] = [];

  constructor(_options: unknown, codec: CodePageCodec) {
    this.#page = codec.page;
  }

  write(piece: Uint8Array): string {
    if (this.#page.doubleByte === undefined) return this.#page.decode(piece);
    this.#pieces.push(piece);
    return '';
  }

  end(): string | undefined {
    return this.#page.doubleByte === undefined ? undefined : this.#page.decode(Buffer.concat(this.#pieces));
  }
}

class CodePageCodec {
  readonly encoder = CodePageEncoder;
  readonly decoder = CodePageDecoder;
  readonly page: CodePage;

  constructor(options: { readonly codePage: string }) {
    const page = findCodePage(options.codePage);
    if (page === undefined) throw new Error(`There is no code page ${options.codePage}`);
    this.page = page;
  }
}

/**
 * Adds all code pages under all their names to iconv-lite's encodings. Results are those of `CodePage`; iconv-lite's
 * own single-byte codec does not support SUB. Idempotent; never replaces iconv-lite's own encodings.
 */
export function registerCodePages(): void {
  iconv.encodingExists('utf8'); // iconv-lite fills `encodings` on first use
  const encodings = iconv.encodings as Record<string, unknown> | null;
  if (encodings === null) throw new Error('iconv-lite has not loaded its encodings');
  encodings[CODEC_TYPE] ??= CodePageCodec;
  for (const number of codePageNumbers) register(encodings, canonicalCodePageName(number), codePageAliases(number));
  register(encodings, bracketCodePageNames[0], bracketCodePageNames);
}

function register(encodings: Record<string, unknown>, name: string, aliases: readonly string[]): void {
  const key = iconvKey(name);
  encodings[key] ??= { type: CODEC_TYPE, codePage: name };
  for (const alias of aliases) encodings[iconvKey(alias)] ??= key;
}

/** Normalizes names as iconv-lite does. */
function iconvKey(name: string): string {
  return name.toLowerCase().replace(/[^0-9a-z]/g, '');
}
