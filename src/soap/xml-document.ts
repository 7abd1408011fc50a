import { SaxesParser } from 'saxes';
import type { ElementNode } from './element-tree.js';
import { XmlFault } from './xml-fault.js';

export interface XmlLimits {
  /** Of the document in UTF-8. */
  readonly bytes: number;
  /** Levels of elements; the root is the first. */
  readonly depth: number;
  /** Of the whole document. */
  readonly elements: number;
  /** Of one element. */
  readonly attributes: number;
}

export const defaultXmlLimits: XmlLimits = { bytes: 2 * 1024 * 1024, depth: 64, elements: 100_000, attributes: 256 };

interface GrowingElement extends ElementNode {
  readonly children: GrowingElement[];
  text: string;
}

/** `1:7: unclosed tag …`: the position that saxes puts in front is one that XmlFault carries by itself. */
const SAXES_POSITION = /^\d+:\d+: /;
const LONGEST_REASON = 200;
const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * Reads a whole XML document into a tree of its elements, in time linear in its length; stops at the first fault.
 * Strictly well-formed XML 1.0 or 1.1. No document type declaration is accepted (SOAP 1.2 part 1, section 5), so there
 * are no entities but the five predefined ones and the numeric references. Comments and processing instructions are
 * passed over; so is the encoding of the XML declaration, because the text is decoded already. Namespaces are not
 * resolved: reading them is quadratic in depth in saxes, and mapping goes by local names.
 *
 * @throws XmlFault for anything that is not well-formed, or is beyond a limit
 */
export function readXml(text: string, limits: Partial<XmlLimits> = {}): ElementNode {
  const bound = { ...defaultXmlLimits, ...limits };
  if (text.length * 3 > bound.bytes && (text.length > bound.bytes || Buffer.byteLength(text) > bound.bytes)) {
    throw new XmlFault(`the document is longer than ${bound.bytes} bytes`, 1, 1);
  }
  const parser = new SaxesParser();
  const refuse = (reason: string): never => {
    throw new XmlFault(printable(reason), parser.line, parser.column + 1);
  };
  refuseDoctype(text);

  const open: GrowingElement[] = [];
  let current: GrowingElement | undefined;
  let root: GrowingElement | undefined;
  let elements = 0;
  let attributes = 0;

  parser.on('error', ({ message }) => refuse(message.replace(SAXES_POSITION, '').replace(/\.$/, '')));
  parser.on('opentagstart', () => {
    attributes = 0;
    elements += 1;
    if (elements > bound.elements) refuse(`more than ${bound.elements} elements`);
    if (open.length >= bound.depth) refuse(`elements nested deeper than ${bound.depth} levels`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > bound.attributes) refuse(`more than ${bound.attributes} attributes in one element`);
  });
  parser.on('opentag', ({ name, attributes: written }) => {
    const element: GrowingElement = {
      name,
      localName: name.slice(name.indexOf(':') + 1),
      attributes: attributes === 0 ? noAttributes : new Map(Object.entries(written)),
      children: [],
      text: '',
    };
    if (current === undefined) root = element;
    else current.children.push(element);
    open.push(element);
    current = element;
  });
  parser.on('closetag', () => {
    open.pop();
    current = open.at(-1);
  });
  const append = (characters: string): void => {
    if (current !== undefined) current.text += characters;
  };
  parser.on('text', append);
  parser.on('cdata', append);

  parser.write(text).close();
  if (root === undefined) return refuse('the document has no root element');
  return root;
}

/**
 * A document type declaration can only stand before the root element, among comments, processing instructions and
 * white space. It is looked for before parsing, because saxes reports one only after its end.
 */
function refuseDoctype(text: string): void {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    at = skipWhiteSpace(text, at);
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : undefined;
    if (end === undefined) break;
    const found = text.indexOf(end, at + 2);
    if (found < 0) return;
    at = found + end.length;
  }
  if (!text.startsWith('<!DOCTYPE', at)) return;
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  throw new XmlFault('a document type declaration is not accepted', before.length, (before.at(-1)?.length ?? 0) + 1);
}

function skipWhiteSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

/** A reason may hold a name out of the document: cut, and nothing that a terminal would obey. */
function printable(reason: string): string {
  return reason.slice(0, LONGEST_REASON).replace(/[^\u0020-\u007e\u00a1-\uffff]/g, '\ufffd');
}
