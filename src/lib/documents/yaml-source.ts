import { Composer, type CST, type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, Parser } from 'yaml';
import { isSecretName } from '../secrets/secret-text.js';
import type { KeyPath, SourceDiagnostic } from './source-diagnostic.js';

const DEEPEST_NESTING = 32;
const MOST_ALIASES = 100;

export interface YamlSource {
  readonly value: unknown;
  readonly diagnostics: readonly SourceDiagnostic[];
  /** If the path does not exist, returns the position of the nearest enclosing node. */
  place(path: KeyPath, at: 'key' | 'value'): { line: number; column: number };
  /** The source with passwords masked by asterisks. */
  readonly shownSource: string;
}

interface Offsets {
  readonly key: number;
  readonly value: number;
}

/**
 * Parses YAML 1.2, with the position of each key. Limits nesting before any recursive code reads the text, and finds
 * duplicate keys in linear time.
 */
export function readYaml(source: string, file: string): YamlSource {
  const lines = new LineCounter();
  const diagnostics: SourceDiagnostic[] = [];
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    diagnostics.push({ file, line: Math.max(line, 1), column: Math.max(col, 1), message, severity: 'error' });
  };
  const unread = { value: undefined, diagnostics, place: () => ({ line: 1, column: 1 }), shownSource: '' };

  const tokens = [...new Parser(lines.addNewLine).parse(source)];
  const tooDeep = offsetOfDeepNesting(tokens);
  if (tooDeep !== undefined) {
    report(tooDeep, `YAML: nested too deeply: expected at most ${DEEPEST_NESTING} levels`);
    return unread;
  }
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, strict: true });
  const [document, ...furtherDocuments] = composer.compose(tokens, true, source.length);
  if (document === undefined) return unread;
  const [second] = furtherDocuments;
  if (second) report(second.range[0], 'YAML: expected one document, found a second one');
  for (const { pos, message } of [...document.errors, ...document.warnings]) report(pos[0], `YAML: ${message}`);

  const index = new KeyIndex();
  index.read(document);
  for (const { offset, key } of index.duplicates) report(offset, `YAML: the key "${key}" occurs a second time`);
  for (const { offset, name } of index.unresolvedAliases)
    report(offset, `YAML: no anchor "&${name}" precedes this alias`);
  let value: unknown;
  if (diagnostics.length === 0) {
    try {
      value = document.toJS({ maxAliasCount: MOST_ALIASES });
    } catch {
      report(document.range[0], `YAML: expected at most ${MOST_ALIASES} uses of aliases`);
    }
  }
  return {
    value,
    diagnostics,
    place: (path, at) => {
      const { line, col } = lines.linePos(index.offset(path, at));
      return { line, column: col };
    },
    shownSource: masked(source, index.secrets),
  };
}

function offsetOfDeepNesting(tokens: readonly CST.Token[]): number | undefined {
  const pending: [token: CST.Token, depth: number][] = tokens.map((token) => [token, 0]);
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const [token, depth] = entry;
    if (token.type === 'document' && token.value) pending.push([token.value, depth + 1]);
    if (!('items' in token)) continue;
    if (depth > DEEPEST_NESTING) return token.offset;
    for (const { key, value } of token.items) {
      if (key) pending.push([key, depth + 1]);
      if (value) pending.push([value, depth + 1]);
    }
  }
  return undefined;
}

const PASSWORD_IN_URL = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]*:[^/?#\s]*@/i;

class KeyIndex {
  readonly duplicates: { offset: number; key: string }[] = [];
  readonly unresolvedAliases: { offset: number; name: string }[] = [];
  readonly secrets: [start: number, end: number][] = [];
  readonly #offsets = new Map<string, Offsets>();
  readonly #anchors = new Set<string>();
  #secretDepth = 0;

  read(document: Document.Parsed): void {
    const offset = document.contents?.range[0] ?? 0;
    this.#offsets.set('', { key: offset, value: offset });
    this.#visit(document.contents, []);
  }

  offset(path: KeyPath, at: 'key' | 'value'): number {
    const exact = this.#offsets.get(path.join('\0'));
    if (exact) return exact[at];
    for (let length = path.length - 1; length >= 0; length--) {
      const around = this.#offsets.get(path.slice(0, length).join('\0'));
      if (around) return around.key;
    }
    return 0;
  }

  #visit(node: unknown, path: KeyPath): void {
    if (isAlias(node)) {
      if (!this.#anchors.has(node.source)) this.unresolvedAliases.push({ offset: offsetOf(node), name: node.source });
      return;
    }
    if (isNode(node) && node.anchor !== undefined) this.#anchors.add(node.anchor);
    const isSecret = isScalar(node) && (this.#secretDepth > 0 || PASSWORD_IN_URL.test(String(node.value)));
    if (isSecret && node.range) this.secrets.push([node.range[0], node.range[1]]);
    if (isSeq(node)) {
      for (const [position, item] of node.items.entries()) this.#enter(item, item, [...path, String(position)]);
    }
    if (!isMap(node)) return;
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const name = String(key.value);
      if (seen.has(name)) this.duplicates.push({ offset: offsetOf(key), key: name });
      seen.add(name);
      // A boolean `secret: true` is a declaration, not a secret.
      const saysSo = name === 'secret' && isScalar(value) && typeof value.value === 'boolean';
      const secret = name === 'users' || (isSecretName(name) && !saysSo);
      if (secret) this.#secretDepth++;
      this.#enter(key, value, [...path, name]);
      if (secret) this.#secretDepth--;
    }
  }

  #enter(key: unknown, value: unknown, path: KeyPath): void {
    this.#offsets.set(path.join('\0'), { key: offsetOf(key), value: isEmpty(value) ? offsetOf(key) : offsetOf(value) });
    this.#visit(value, path);
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.range?.[0] === value.range?.[1]);
}

function offsetOf(node: unknown): number {
  const ranged = node as { range?: readonly number[] | null } | null;
  return ranged?.range?.[0] ?? 0;
}

function masked(source: string, secrets: readonly (readonly [number, number])[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to] of secrets) {
    pieces.push(source.slice(end, from), source.slice(from, to).replace(/[^\r\n]/g, '*'));
    end = to;
  }
  pieces.push(source.slice(end));
  return pieces.join('');
}
