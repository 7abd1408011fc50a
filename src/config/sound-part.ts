import { isObject } from '../lib/documents/json-checks.js';
import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/source-diagnostic.js';
import { NameGuesses } from '../lib/text/nearest-name.js';
import type { ConfigurationDocument } from './configuration-document.js';

const sections = ['directories', 'hosts', 'pools', 'printers', 'lines', 'entryPoints'] as const;

/**
 * Names defined in the file, including faulty definitions, so that a reference to a faulty definition is not a second
 * fault.
 */
export type DefinedNames = Readonly<Record<(typeof sections)[number], readonly string[]>> & {
  readonly guesses: NameGuesses;
};

/** Fault of a reference to a name that is not defined. */
export function nameFault(
  path: KeyPath,
  what: string,
  name: string,
  known: Iterable<string>,
  { guesses }: DefinedNames,
): DocumentFault {
  return errorAt(path, `expected ${what}, found "${name}"${guesses.didYouMean(name, known)}`);
}

export interface SoundPart {
  readonly document: ConfigurationDocument;
  readonly names: DefinedNames;
}

/**
 * Removes each definition with a schema fault (a whole line, a whole transaction), so that later checks can rely on the
 * document's shape. Changes the document.
 * @returns undefined if a whole section is missing or of the wrong type
 */
export function soundPart(document: unknown, faults: readonly DocumentFault[]): SoundPart | undefined {
  const names = namesOf(document);
  if (names === undefined) return undefined;
  const broken = faults.map(({ path, at }) => definitionOf(path, at));
  if (broken.some((path) => path.length === 0)) return undefined;
  for (const path of broken) remove(document, path);
  return { document: document as ConfigurationDocument, names };
}

/** The smallest part that can be removed as a whole. For an unknown key, only the key. */
function definitionOf(path: KeyPath, at: 'key' | 'value'): KeyPath {
  if (at === 'key') return path;
  const [section = '', , inside] = path;
  if (section === 'entryPoints' && inside === 'transactions' && path.length >= 4) return path.slice(0, 4);
  return path.slice(0, section === 'scenarioLimits' || section === 'management' ? 1 : 2);
}

function namesOf(document: unknown): DefinedNames | undefined {
  if (!isObject(document) || !sections.every((section) => isObject(document[section]))) return undefined;
  const keys = sections.map((section) => [section, Object.keys(Object(document[section]))]);
  return { ...Object.fromEntries(keys), guesses: new NameGuesses() };
}

function remove(document: unknown, path: KeyPath): void {
  let container = document;
  for (const key of path.slice(0, -1)) container = isObject(container) ? container[key] : undefined;
  const last = path.at(-1);
  if (!isObject(container) || last === undefined) return;
  if (path.length === 1 && ['tct', 'hosts', 'pools', 'printers', 'demo'].includes(last)) container[last] = {};
  else delete container[last];
}
