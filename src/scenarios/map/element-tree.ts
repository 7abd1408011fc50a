/** Element named by WITH or WHEN: one name, or names from parent to child separated by slashes (`Code/Value`). */
export interface ElementPath {
  readonly text: string;
  readonly steps: readonly ElementStep[];
}

export interface ElementStep {
  readonly name: string;
  readonly localName: string;
}

export const ELEMENT_PATH_STEPS = 32;

/** Name without its prefix; the whole name if nothing follows the colon. */
export function localNameOf(name: string): string {
  return name.slice(name.indexOf(':') + 1) || name;
}

export function parseElementPath(text: string): ElementPath | undefined {
  const steps = text.split('/').map((name) => ({ name, localName: localNameOf(name) }));
  if (steps.length > ELEMENT_PATH_STEPS || steps.some(({ name }) => name === '')) return undefined;
  return { text, steps };
}

/** A document as a tree of named elements: the common form of XML, JSON and query strings. */
export interface ElementNode {
  /** Qualified name (`soap:Body`), or the name of a JSON member or parameter. */
  readonly name: string;
  readonly localName: string;
  /** By qualified name; entities resolved. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly ElementNode[];
  /** Text and CDATA directly inside this element, entities resolved, not trimmed. */
  readonly text: string;
}
