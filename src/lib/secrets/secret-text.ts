import { addressText } from '../network/addresses.js';

/**
 * Parts of names of secrets: abbreviations in programs and host panels, and words of other languages without accents.
 */
const SECRET_WORDS = [
  'pass|pwd|psw|paswd|(?:^|[^a-z])pw|pw\\d*$|(?:^|[^a-z])pin|pin\\d*$|(?:^|[^a-z])otp|otp\\d*$',
  'key|secret|token|credential|sesskey|svcsession|ajaxsession|signon',
  'kennw|codewo|kodewo|losungsw|geheim|mdp|mot.?de.?pas|contrasen|clave|senha|parol|parool',
  'wachtw|wagwoord|losenord|adgangsk|kodeord|salasana|tunnusl|has[lł]o|heslo|geslo|lozink|jelszo|sifre|slaptaz|zaporka',
  'парол|лозинк|κωδικ|סיסמ|密码|密碼|パスワード|暗証|비밀번호|암호',
];
const SECRET_NAME = new RegExp(SECRET_WORDS.join('|'), 'iu');
const NOT_ASCII = /[^\t -~]/;

export function isSecretName(name: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  return NOT_ASCII.test(name) && SECRET_NAME.test(name.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** Pieces of XML: CDATA, comments, declarations, tags, text. Truncated text may end within a piece. */
const PIECE =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)|<(\/?)([^\s<>/]+)((?:"[^"]*"|'[^']*'|[^"'<>])*)>?|[^<]+|</g;
const CDATA = '<![CDATA[';
const ATTRIBUTE = /([^\s"'=/]+)(\s*=\s*)("[^"]*"|'[^']*')/g;

/**
 * Masks elements (with their content) and attributes with secret names. The XML need not be well-formed. If an end tag
 * is missing, the rest is masked.
 * @param meet gets the masked text as written
 */
export function withoutSecretElements(
  xml: string,
  isSecret: (localName: string) => boolean,
  meet: (secret: string) => void = () => {},
): string {
  let masked: { readonly name: string; depth: number } | undefined;
  return xml.replace(PIECE, (piece, slash: string | undefined, name: string | undefined, rest = '') => {
    const isTag = name !== undefined && slash !== undefined;
    const isEmpty = isTag && /\/\s*$/.test(rest);
    if (masked === undefined) {
      if (!isTag) return piece;
      const attributes = rest.replace(
        ATTRIBUTE,
        (attribute: string, attributeName: string, sign: string, value: string) => {
          if (!isSecret(localNameOf(attributeName))) return attribute;
          meet(value.slice(1, -1));
          return `${attributeName}${sign}"${MASK}"`;
        },
      );
      const tag = `<${slash}${name}${attributes}${piece.endsWith('>') ? '>' : ''}`;
      if (slash === '/' || isEmpty || !isSecret(localNameOf(name))) return tag;
      masked = { name, depth: 1 };
      return `${tag}${MASK}`;
    }
    if (!isTag) meet(piece.startsWith(CDATA) ? piece.slice(CDATA.length).replace(/\]\]>$/, '') : piece);
    if (name !== masked.name || isEmpty) return '';
    masked.depth += slash === '/' ? -1 : 1;
    if (masked.depth > 0) return '';
    masked = undefined;
    return piece;
  });
}

function localNameOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Shorter values match by chance too often, longer values take too long. */
const SHORTEST_SECRET = 3;
const LONGEST_SECRET = 200;
const MOST_SECRETS = 100;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const FORMS = 15;

/** Values found under secret names. They are masked wherever they occur, in any encoding. */
export class MetSecrets {
  readonly #encode: (text: string) => Uint8Array;
  readonly #forms = new Map<string, string>();

  constructor(encode: (text: string) => Uint8Array) {
    this.#encode = encode;
  }

  add(value: string): void {
    const text = value.trim();
    if (text.length < SHORTEST_SECRET || text.length > LONGEST_SECRET) return;
    if (this.#forms.has(text) || this.#forms.size >= MOST_SECRETS * FORMS) return;
    for (const form of formsOf(text, this.#encode)) this.#forms.set(form, form.toLowerCase());
  }

  addMembers(value: unknown, isSecret: (name: string) => boolean): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && isSecret(name)) this.add(member);
      else this.addMembers(member, isSecret);
    }
  }

  masked(text: string): string {
    const folded = text.toLowerCase();
    // A single expression of all forms is a hundred times slower.
    const present = [...this.#forms].flatMap(([form, foldedForm]) => (folded.includes(foldedForm) ? [form] : []));
    if (present.length === 0) return text;
    const pattern = present
      .sort((one, other) => other.length - one.length)
      .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
      .join('|');
    return text.replace(new RegExp(pattern, 'gi'), MASK);
  }
}

/** The text in URLs, JSON, XML, hexadecimal and base64, in ASCII and EBCDIC. */
function formsOf(text: string, encode: (text: string) => Uint8Array): readonly string[] {
  const bytes = Buffer.from(text);
  const ebcdic = Buffer.from(encode(text));
  return [
    text,
    encodeURIComponent(bytes.toString()),
    addressText(text),
    JSON.stringify(text).slice(1, -1),
    text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character),
    new URLSearchParams([['', text]]).toString().slice(1),
    ...[bytes, ebcdic].flatMap((one) => [one.toString('hex'), ...base64Of(one)]),
    ebcdic.toString('latin1'),
  ].filter((form) => form.length >= SHORTEST_SECRET);
}

/** Base64 for each of the three alignments, without the characters that depend on neighboring bytes. */
function base64Of(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), whole);
  });
}

export const MASK = '***';

const SESSION_CODE = /((?:Svc|Ajax)Session(?:=|%3D))[^\s"'&<>;+?]+/gi;
const TOKEN = /\bsallyport_[\w-]+/g;
const CREDENTIALS = /\b(Bearer|Basic|Negotiate|Digest)\s{1,8}[^\s"',<]+/gi;
/** Hidden fields of the server's pages contain codes and keys. */
const INPUT_TAG = /<input\b[^<>]*>?/gi;
const SECRET_INPUT = /\btype\s*=\s*["']?(?:hidden|password)\b/i;
const INPUT_NAME = /\bname\s*=\s*["']?([^"'\s>]+)/i;
const INPUT_VALUE = /\bvalue\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const ELEMENT = /<([\p{L}\p{M}\w:.-]+)((?:\s[^<>]*)?)>([^<]+)/gu;
/** Includes the forms of host panels: `Password . . . : `, `Password ===> `, `Password . . . `. */
const PAIR =
  /(?<![\p{L}\p{M}\w.$-])([\p{L}\p{M}\w.$-]+)(["']?(?:\s{0,8}\.){0,40}\s{0,8}(?:(?::|={1,8}>?)\s{0,8}|(?<=\.\s{0,8}\.\s{1,8})))("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s&,;<>}"']+)/gu;
const OPAQUE = /[\w-]{20,}/g;

/** Masks text that looks secret: session codes, tokens, credentials, hidden fields, and values with secret names. */
export function withoutSecrets(text: string): string {
  return text
    .replace(SESSION_CODE, `$1${MASK}`)
    .replace(TOKEN, MASK)
    .replace(CREDENTIALS, `$1 ${MASK}`)
    .replace(INPUT_TAG, (tag) => {
      const isSecret = SECRET_INPUT.test(tag) || isSecretName(INPUT_NAME.exec(tag)?.[1] ?? '');
      return isSecret ? tag.replace(INPUT_VALUE, `value="${MASK}"`) : tag;
    })
    .replace(ELEMENT, (element, name: string, rest: string) =>
      isSecretName(name) ? `<${name}${rest}>${MASK}` : element,
    )
    .replace(PAIR, (pair, name: string, sign: string) => (isSecretName(name) ? `${name}${sign}${MASK}` : pair))
    .replace(OPAQUE, (run) => (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? MASK : run));
}

export function withoutSecretMembers(value: unknown, isSecret = isSecretName): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutSecretMembers(one, isSecret));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecret(name) ? MASK : withoutSecretMembers(member, isSecret),
    ]),
  );
}
