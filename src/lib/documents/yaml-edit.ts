import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isNode, isPair, isScalar, isSeq, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import { isObject } from './json-checks.js';

const parseOptions = { stringKeys: true, strict: true, uniqueKeys: false } as const;
const printOptions = { lineWidth: 0 } as const;

/**
 * Changes the source so that it parses as `value`. Unchanged parts keep their comments.
 * @param source valid YAML
 */
export function withYamlValue(source: string, value: unknown): string {
  // If an anchor is removed or changed, its aliases are replaced by their values.
  for (const keepsAliases of [true, false]) {
    const document = parseDocument(source, parseOptions);
    if (!keepsAliases) writeOutAliases(document);
    document.contents = reconciled(document, document.contents, value) as typeof document.contents;
    const edited = documentText(document);
    if (edited !== undefined && says(edited, value)) return edited;
  }
  return new Document(value).toString(printOptions);
}

/**
 * Sets entries of a top-level map. If the map is in block style, all other bytes are kept. Otherwise only the comments
 * are kept.
 * @param source valid YAML, or empty
 */
export function withYamlEntries(source: string, map: string, entries: ReadonlyMap<string, unknown>): string {
  const before: unknown = parseDocument(source, parseOptions).toJS();
  const root = isObject(before) ? before : {};
  const known = isObject(root[map]) ? root[map] : {};
  const changed = new Map([...entries].filter(([name, value]) => !isDeepStrictEqual(known[name], value)));
  if (changed.size === 0) return source;
  const expected = { ...root, [map]: { ...known, ...Object.fromEntries(changed) } };
  const spliced = splice(source, map, changed);
  return spliced !== undefined && says(spliced, expected) ? spliced : withYamlValue(source, expected);
}

function splice(source: string, map: string, entries: ReadonlyMap<string, unknown>): string | undefined {
  const { contents } = parseDocument(source, parseOptions);
  const node = isMap(contents) ? contents.get(map) : undefined;
  if (!isMap(node) || node.flow === true) return undefined;
  const start = startOf(node.items[0]);
  const end = endOf(node.items.at(-1));
  if (start === undefined || end === undefined) return undefined;
  const indent = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  if (/[^ ]/.test(indent)) return undefined;
  const lineEnd = source.includes('\r\n') ? '\r\n' : '\n';
  const pieces: string[] = [];
  const added = new Map(entries);
  let done = 0;
  for (const pair of node.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : '';
    if (!entries.has(name)) continue;
    const [from, to] = [startOf(pair), endOf(pair)];
    if (from === undefined || to === undefined) return undefined;
    pieces.push(source.slice(done, from), entryText(name, entries.get(name)));
    added.delete(name);
    done = to;
  }
  const lines = [...added].map(([name, value]) => `${indent}${entryText(name, value)}${lineEnd}`);
  const endOfLine = source[end - 1] === '\n' ? end : source.indexOf('\n', end) + 1;
  if (endOfLine === 0) return [...pieces, source.slice(done), lineEnd, ...lines].join('');
  return [...pieces, source.slice(done, endOfLine), ...lines, source.slice(endOfLine)].join('');
}

function entryText(name: string, value: unknown): string {
  const document = new Document({});
  document.set(name, document.createNode(value, { flow: true }));
  return document.toString(printOptions).trimEnd();
}

function startOf(pair: Pair | undefined): number | undefined {
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}

function endOf(node: unknown): number | undefined {
  if (isPair(node)) return endOf(node.value) ?? endOf(node.key);
  if ((isMap(node) || isSeq(node)) && node.flow !== true) return endOf(node.items.at(-1));
  return isNode(node) ? node.range?.[1] : undefined;
}

function reconciled(document: Document, node: unknown, value: unknown): unknown {
  if (isNode(node) && isDeepStrictEqual(node.toJS(document), value)) return node;
  if (isScalar(node) && !isObject(value) && !Array.isArray(value)) {
    node.value = value;
    return node;
  }
  if (isSeq(node) && Array.isArray(value)) {
    node.items = value.map((item, at) => reconciled(document, node.items[at], item));
    return node;
  }
  if (isMap(node) && isObject(value)) {
    node.items = Object.entries(value).map(([key, item]) => reconciledPair(document, node, key, item));
    return node;
  }
  return document.createNode(value);
}

function reconciledPair(document: Document, map: YAMLMap, key: string, value: unknown): Pair {
  const known = map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
  if (known === undefined) return document.createPair(key, value);
  known.value = reconciled(document, known.value, value);
  return known;
}

function writeOutAliases(document: Document): void {
  visit(document, { Alias: (_, alias) => document.createNode(alias.toJS(document)) });
}

function documentText(document: Document): string | undefined {
  try {
    return document.toString(printOptions);
  } catch {
    return undefined;
  }
}

function says(source: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(parseDocument(source, parseOptions).toJS(), value);
  } catch {
    return false;
  }
}
