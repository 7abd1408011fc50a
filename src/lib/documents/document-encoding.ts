import iconv from 'iconv-lite';

/** Encodings of documents; iconv-lite has more, some of which are no character sets (`hex`, `base64`). */
const ENCODING =
  /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|iso-8859-(?:[1-9]|1[0-6])|latin1|windows-(?:874|125[0-8])|koi8-[ru]|ibm0?\d{3,4}|shift_jis|euc-jp|euc-kr|gb2312|gbk|gb18030|big5)$/;
const CHARSET_PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i;
const DECLARED_ENCODING = /^<\?xml\s[^>]*?encoding\s*=\s*(?:"([^"]*)"|'([^']*)')/;
/** An XML declaration is at the very start; more than this is none. */
const LONGEST_DECLARATION = 256;

const byteOrderMarks = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
  // no mark, but `<?` in sixteen bits
  { mark: Buffer.from([0x3c, 0x00, 0x3f, 0x00]), encoding: 'utf-16le' },
  { mark: Buffer.from([0x00, 0x3c, 0x00, 0x3f]), encoding: 'utf-16be' },
] as const;

/**
 * The encoding of a reply, in lower case: of its byte order mark, else of the charset parameter of its content type,
 * else of its XML declaration, else UTF-8 (RFC 7303, section 3). One that is not known counts as UTF-8.
 */
export function documentEncoding(body: Uint8Array, contentType: string | undefined): string {
  const encoding = statedEncoding(Buffer.from(body.buffer, body.byteOffset, body.byteLength), contentType);
  if (encoding === 'utf-8' || encoding === 'utf8' || !ENCODING.test(encoding) || !iconv.encodingExists(encoding))
    return 'utf-8';
  return encoding;
}

function statedEncoding(bytes: Buffer, contentType: string | undefined): string {
  for (const { mark, encoding } of byteOrderMarks) if (beginsWith(bytes, mark)) return encoding;
  const parameter = contentType === undefined ? null : CHARSET_PARAMETER.exec(contentType);
  const found =
    parameter ?? (bytes[0] === 0x3c ? DECLARED_ENCODING.exec(bytes.toString('latin1', 0, LONGEST_DECLARATION)) : null);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? 'utf-8').trim().toLowerCase();
}

function beginsWith(bytes: Buffer, mark: Buffer): boolean {
  for (let at = 0; at < mark.length; at++) if (bytes[at] !== mark[at]) return false;
  return true;
}
