import iconv from 'iconv-lite';
import type { RestingWork } from '../../lib/turns/work-in-turns.js';
import { type ElementNode, localNameOf } from './element-tree.js';
import { ELEMENTS_AT_A_STRETCH, jsonReading, type TreeLimits } from './json-document.js';
import { documentLimits, XmlError, xmlReading } from './xml-document.js';

/** Allowed encodings; some encodings of iconv-lite are not character sets (`hex`, `base64`). */
const ENCODING =
  /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|iso-8859-(?:[1-9]|1[0-6])|latin1|windows-(?:874|125[0-8])|koi8-[ru]|ibm0?\d{3,4}|shift_jis|euc-jp|euc-kr|gb2312|gbk|gb18030|big5)$/;
const CHARSET_PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i;
const DECLARED_ENCODING = /^<\?xml\s[^>]*?encoding\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const LONGEST_DECLARATION = 256;

const byteOrderMarks = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
  // not a byte order mark: `<?` in UTF-16
  { mark: Buffer.from([0x3c, 0x00, 0x3f, 0x00]), encoding: 'utf-16le' },
  { mark: Buffer.from([0x00, 0x3c, 0x00, 0x3f]), encoding: 'utf-16be' },
] as const;

/**
 * Encoding of a reply, in lower case: from its byte order mark, else the charset of the content type, else its XML
 * declaration, else UTF-8 (RFC 7303, section 3). An unknown encoding counts as UTF-8.
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

export const documentFormats = ['XML', 'JSON', 'QUERY'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

type OnUnreadable = (reason: string) => void;

type DocumentReader = (text: string, onUnreadable: OnUnreadable) => RestingWork<ElementNode | undefined>;

const readers: Readonly<Record<DocumentFormat, DocumentReader>> = {
  XML: xmlDocumentReading,
  *JSON(text, onUnreadable) {
    return (yield* jsonReading(text, documentLimits)) ?? unreadableDocument(onUnreadable, unreadable.json);
  },
  *QUERY(text, onUnreadable) {
    return (yield* queryReading(text, documentLimits)) ?? unreadableDocument(onUnreadable, unreadable.query);
  },
};

const unreadable = {
  json: `not JSON, nested deeper than ${documentLimits.depth} levels, or more than ${documentLimits.elements} elements`,
  query: `malformed percent-encoding, or more than ${documentLimits.elements} parameters`,
} as const;

/**
 * Reads a document into a tree of elements; undefined if it is unreadable (it is then mapped as an empty document). The
 * fault of a SOAP 1.2 envelope also receives the elements of SOAP 1.1, see `withSoapFaultNames`.
 */
export function* documentReading(
  format: DocumentFormat,
  text: string,
  onUnreadable: OnUnreadable = () => {},
): RestingWork<ElementNode | undefined> {
  if (Buffer.byteLength(text) > documentLimits.bytes) {
    return unreadableDocument(onUnreadable, `longer than ${documentLimits.bytes} bytes`);
  }
  return yield* readers[format](text, onUnreadable);
}

function* xmlDocumentReading(text: string, onUnreadable: OnUnreadable): RestingWork<ElementNode | undefined> {
  try {
    return withSoapFaultNames(yield* xmlReading(text));
  } catch (fault) {
    if (!(fault instanceof XmlError)) throw fault;
    return unreadableDocument(onUnreadable, `${fault.line}:${fault.column}: ${withoutNames(fault.reason)}`);
  }
}

/** saxes puts the offending name after a colon: `unclosed tag: name`. */
function withoutNames(reason: string): string {
  return reason.replace(/: .*/s, '');
}

function unreadableDocument(onUnreadable: OnUnreadable, reason: string): undefined {
  onUnreadable(reason);
}

const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * Reads `name=value&…` (application/x-www-form-urlencoded; a leading `?` is skipped) into an unnamed root with one
 * child per parameter. Undefined if the percent-encoding is malformed or there are too many parameters.
 */
function* queryReading(text: string, { elements }: Pick<TreeLimits, 'elements'>): RestingWork<ElementNode | undefined> {
  const children: ElementNode[] = [];
  const end = text.length;
  let parameters = 0;
  for (let at = text.startsWith('?') ? 1 : 0; at < end; ) {
    const separator = text.indexOf('&', at);
    const stop = separator < 0 ? end : separator;
    const parameter = readParameter(text.slice(at, stop));
    if (parameter === undefined || children.length >= elements) return undefined;
    if (parameter !== 'empty') children.push(parameter);
    at = stop + 1;
    if (++parameters % ELEMENTS_AT_A_STRETCH === 0) yield;
  }
  return { name: '', localName: '', attributes: noAttributes, children, text: '' };
}

function readParameter(written: string): ElementNode | 'empty' | undefined {
  const equals = written.indexOf('=');
  const name = decoded(equals < 0 ? written : written.slice(0, equals));
  const text = decoded(equals < 0 ? '' : written.slice(equals + 1));
  if (name === undefined || text === undefined) return undefined;
  return name === '' ? 'empty' : { name, localName: localNameOf(name), attributes: noAttributes, children: [], text };
}

function decoded(written: string): string | undefined {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Elements of a SOAP 1.1 fault and their SOAP 1.2 equivalents (part 1, section 5.4). */
const faultAreas = [
  { name: 'faultcode', path: ['Code', 'Value'], collapsed: true },
  { name: 'faultstring', path: ['Reason', 'Text'], collapsed: false },
  { name: 'faultactor', path: ['Role'], collapsed: true },
] as const;

/**
 * Adds the elements of a SOAP 1.1 fault to the fault of a SOAP 1.2 envelope: `faultcode` from Code/Value, `faultstring`
 * from the first Text of Reason, `faultactor` from Role. They precede the elements of the fault, because Detail may
 * contain a SOAP 1.1 fault of another service. Prefixes are ignored. Returns any other document unchanged, and does not
 * modify the given tree.
 *
 * White space around Value (a QName) and Role (a URI) is removed (XML Schema part 2, whiteSpace collapse).
 */
export function withSoapFaultNames(root: ElementNode): ElementNode {
  if (root.localName !== 'Envelope') return root;
  const body = child(root, 'Body');
  const fault = body && child(body, 'Fault');
  if (!body || !fault || !(child(fault, 'Code') || child(fault, 'Reason'))) return root;

  const added: ElementNode[] = [];
  for (const { name, path, collapsed } of faultAreas) {
    const source = descend(fault, path);
    if (source === undefined || child(fault, name)) continue;
    const text = collapsed ? source.text.trim() : source.text;
    added.push({ name, localName: name, attributes: new Map(), children: [], text });
  }
  if (added.length === 0) return root;
  const namedFault = { ...fault, children: [...added, ...fault.children] };
  return replaceChild(root, body, replaceChild(body, fault, namedFault));
}

function child(parent: ElementNode, localName: string): ElementNode | undefined {
  return parent.children.find((element) => element.localName === localName);
}

function descend(from: ElementNode, path: readonly string[]): ElementNode | undefined {
  let element: ElementNode | undefined = from;
  for (const localName of path) element = element && child(element, localName);
  return element;
}

function replaceChild(parent: ElementNode, old: ElementNode, replacement: ElementNode): ElementNode {
  return { ...parent, children: parent.children.map((element) => (element === old ? replacement : element)) };
}
