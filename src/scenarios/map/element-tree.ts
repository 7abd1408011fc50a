/** The element that a WITH or WHEN names: one name, or names from parent to child with slashes (`Code/Value`). */
export interface ElementPath {
  /** As written. */
  readonly text: string;
  /** At least one. */
  readonly steps: readonly ElementStep[];
}

export interface ElementStep {
  readonly name: string;
  readonly localName: string;
}

/** Steps that a path may have. */
export const ELEMENT_PATH_STEPS = 32;

/** A name without its prefix; the whole name where nothing follows the colon. */
export function localNameOf(name: string): string {
  return name.slice(name.indexOf(':') + 1) || name;
}

/** Undefined if a step is empty or there are more than ELEMENT_PATH_STEPS. */
export function parseElementPath(text: string): ElementPath | undefined {
  const steps = text.split('/').map((name) => ({ name, localName: localNameOf(name) }));
  if (steps.length > ELEMENT_PATH_STEPS || steps.some(({ name }) => name === '')) return undefined;
  return { text, steps };
}

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
