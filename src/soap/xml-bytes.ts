import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import type { ElementNode } from './element-tree.js';
import { readXml, type XmlLimits } from './xml-document.js';
import { XmlFault } from './xml-fault.js';

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
 * Decodes and reads a document. The encoding is that of the byte order mark, else of the charset parameter of the
 * content type, else of the XML declaration, else UTF-8 (RFC 7303, section 3). UTF-8 is strict: ill-formed bytes are a
 * fault (XML 1.0, section 4.3.3). `limits.bytes` counts the document in UTF-8.
 *
 * @throws XmlFault as readXml does, and for an unknown encoding or bytes that are not of the encoding
 */
export function readXmlBytes(body: Uint8Array, contentType?: string, limits: Partial<XmlLimits> = {}): ElementNode {
  return readXml(decodeXml(body, contentType), limits);
}

/**
 * The text of an XML document, decoded as described at readXmlBytes; a byte order mark is taken off.
 *
 * @throws XmlFault for an unknown encoding or bytes that are not of the encoding
 */
export function decodeXml(body: Uint8Array, contentType?: string): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const encoding = encodingOf(bytes, contentType);
  if (encoding === 'utf-8' || encoding === 'utf8') {
    if (!isUtf8(bytes)) throw new XmlFault('the document is not valid UTF-8', 1, 1);
    const text = bytes.toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
  if (!ENCODING.test(encoding) || !iconv.encodingExists(encoding)) {
    throw new XmlFault('the encoding of the document is unknown', 1, 1);
  }
  return iconv.decode(bytes, encoding);
}

function encodingOf(bytes: Buffer, contentType: string | undefined): string {
  for (const { mark, encoding } of byteOrderMarks) {
    if (bytes.subarray(0, mark.length).equals(mark)) return encoding;
  }
  const parameter = contentType === undefined ? null : CHARSET_PARAMETER.exec(contentType);
  const found =
    parameter ?? (bytes[0] === 0x3c ? DECLARED_ENCODING.exec(bytes.toString('latin1', 0, LONGEST_DECLARATION)) : null);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? 'utf-8').trim().toLowerCase();
}
