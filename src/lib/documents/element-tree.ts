/**
 * A document as a tree of named elements: the common form of XML, JSON and query strings for mapping.
 */
export interface ElementNode {
  /** As written, with its prefix (`soap:Body`); a JSON member's or a parameter's name. */
  readonly name: string;
  /** The name without its prefix. */
  readonly localName: string;
  /** Attribute values by their written names; entities resolved. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly ElementNode[];
  /** The character data directly inside this element (text and CDATA, in order), entities resolved, not trimmed. */
  readonly text: string;
}
