import { SaxesParser } from 'saxes';
import { atOnce, type RestingWork } from '../../lib/turns/work-in-turns.js';
import type { ElementNode } from './element-tree.js';

export interface XmlLimits {
  readonly bytes: number;
  /** Levels of elements; the root is level 1. */
  readonly depth: number;
  readonly elements: number;
  readonly attributes: number;
}

/** Limits of a mapped document; a document that exceeds one is unreadable. `attributes` applies to each element. */
export const documentLimits = { bytes: 2_097_152, depth: 64, elements: 100_000, attributes: 256 } as const;

interface GrowingElement extends ElementNode {
  readonly children: GrowingElement[];
  text: string;
}

/** Removed from messages such as `1:7: unclosed tag …`, because XmlError has its own position. */
const SAXES_POSITION = /^\d+:\d+: /;
const LONGEST_REASON = 200;
const CHARACTERS_AT_A_STRETCH = 16_384;
const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * Reads an XML document into a tree of its elements, in linear time; stops at the first error. Accepts only well-formed
 * XML 1.0 or 1.1 without document type declaration (SOAP 1.2 part 1, section 5); entities are therefore limited to the
 * five predefined ones and numeric references. Comments and processing instructions are skipped. The encoding in the
 * XML declaration is ignored, because the text is already decoded. Namespaces are not resolved: saxes needs quadratic
 * time in the depth for that, and mapping uses local names.
 *
 * @throws XmlError if the document is not well-formed or exceeds a limit
 */
export function readXml(text: string, limits: Partial<XmlLimits> = {}): ElementNode {
  return atOnce(xmlReading(text, limits));
}

export function* xmlReading(text: string, limits: Partial<XmlLimits> = {}): RestingWork<ElementNode> {
  const { bytes = documentLimits.bytes } = limits;
  if (text.length * 3 > bytes && (text.length > bytes || Buffer.byteLength(text) > bytes)) {
    throw new XmlError(`the document is longer than ${bytes} bytes`, 1, 1);
  }
  refuseDoctype(text);
  const reader = idleReader ?? new XmlTreeReader();
  // not reused after an error, which leaves the parser in an undefined state
  idleReader = undefined;
  const root = yield* reader.read(text, limits);
  idleReader = reader;
  return root;
}

/** Creating a parser takes as long as parsing a short reply, so the last one is reused. */
let idleReader: XmlTreeReader | undefined;

class XmlTreeReader {
  readonly #parser = new SaxesParser();
  #limits: Partial<XmlLimits> = {};
  #open: GrowingElement[] = [];
  #root: GrowingElement | undefined;
  #elements = 0;
  #attributes = 0;

  constructor() {
    const parser = this.#parser;
    parser.on('error', ({ message }) => this.#refuse(message.replace(SAXES_POSITION, '').replace(/\.$/, '')));
    parser.on('opentagstart', () => this.#countElement());
    parser.on('attribute', () => this.#countAttribute());
    parser.on('opentag', ({ name, attributes }) => this.#openElement(name, attributes));
    parser.on('closetag', () => {
      this.#open.pop();
    });
    parser.on('text', (characters) => this.#append(characters));
    parser.on('cdata', (characters) => this.#append(characters));
  }

  *read(text: string, limits: Partial<XmlLimits>): RestingWork<ElementNode> {
    this.#limits = limits;
    this.#elements = 0;
    for (let at = 0; at < text.length; at += CHARACTERS_AT_A_STRETCH) {
      if (at > 0) yield;
      this.#parser.write(text.slice(at, at + CHARACTERS_AT_A_STRETCH));
    }
    this.#parser.close();
    const root = this.#root;
    this.#root = undefined;
    return root ?? this.#refuse('the document has no root element');
  }

  #countElement(): void {
    const { elements = documentLimits.elements, depth = documentLimits.depth } = this.#limits;
    this.#attributes = 0;
    this.#elements += 1;
    if (this.#elements > elements) this.#refuse(`more than ${elements} elements`);
    if (this.#open.length >= depth) this.#refuse(`elements nested deeper than ${depth} levels`);
  }

  #countAttribute(): void {
    const { attributes = documentLimits.attributes } = this.#limits;
    this.#attributes += 1;
    if (this.#attributes > attributes) this.#refuse(`more than ${attributes} attributes in one element`);
  }

  #openElement(name: string, attributes: Readonly<Record<string, string>>): void {
    const element: GrowingElement = {
      name,
      localName: name.slice(name.indexOf(':') + 1),
      attributes: this.#attributes === 0 ? noAttributes : mapOf(attributes),
      children: [],
      text: '',
    };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = element;
    else parent.children.push(element);
    this.#open.push(element);
  }

  #append(characters: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += characters;
  }

  #refuse(reason: string): never {
    throw new XmlError(printable(reason), this.#parser.line, this.#parser.column + 1);
  }
}

/** Without an array of pairs for each element of a reply. */
function mapOf(attributes: Readonly<Record<string, string>>): Map<string, string> {
  const map = new Map<string, string>();
  for (const name in attributes) map.set(name, attributes[name] ?? '');
  return map;
}

/**
 * Rejects a document type declaration before parsing, because saxes reports one only after its end. Only comments,
 * processing instructions and white space can precede it.
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
  throw new XmlError('a document type declaration is not accepted', before.length, (before.at(-1)?.length ?? 0) + 1);
}

function skipWhiteSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

/** A reason may contain a name from the document, so it is truncated and control characters are escaped. */
function printable(reason: string): string {
  return reason.slice(0, LONGEST_REASON).replace(/[^\u0020-\u007e\u00a1-\uffff]/g, '\ufffd');
}

/** Lines and columns count from 1. */
export class XmlError extends Error {
  override readonly name = 'XmlError';

  constructor(
    readonly reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${line}:${column}: ${reason}`);
  }
}
