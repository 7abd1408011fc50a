import { dirname, join } from 'node:path/posix';

interface Use {
  readonly target: string;
  readonly names: readonly string[] | 'all';
}

export interface Sources {
  readonly product: ReadonlyMap<string, string>;
  /** Texts of tests and benchmarks: their imports count only for files that the product imports too. */
  readonly tests: ReadonlyMap<string, string>;
  /** Files that are executed instead of imported. */
  readonly entries: readonly string[];
}

/** Files that only tests import (`path`), and exports that are never imported (`path: name`). */
export function unusedExports({ product, tests, entries }: Sources): string[] {
  const used = usedNames(product);
  const usedByTests = usedNames(tests);
  const found: string[] = [];
  for (const [file, source] of product) {
    if (entries.includes(file)) continue;
    const users = used.get(file);
    if (users === undefined) {
      found.push(file);
      continue;
    }
    for (const name of exportsOf(source)) {
      const isUsed = [users, usedByTests.get(file)].some((names) => names?.has(name) || names?.has('*'));
      if (!isUsed) found.push(`${file}: ${name}`);
    }
  }
  return found;
}

function usedNames(sources: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    for (const { target, names } of usesOf(file, source)) {
      const known = used.get(target) ?? new Set<string>();
      used.set(target, known);
      for (const name of names === 'all' ? ['*'] : names) known.add(name);
    }
  }
  return used;
}

function usesOf(file: string, source: string): Use[] {
  const uses: Use[] = [];
  const targetOf = (specifier: string) => join(dirname(file), specifier.replace(/\.js$/, '.ts'));
  for (const [, list = '', specifier = ''] of source.matchAll(
    /^import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/gm,
  )) {
    const names = list.split(',').map((name) =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s+as\s.*$/, ''),
    );
    uses.push({ target: targetOf(specifier), names: names.filter(Boolean) });
  }
  // namespaces, side effects, dynamic and type imports, workers
  const whole =
    /^import\s+(?:type\s+)?\*[^']*'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|new URL\(\s*'(\.[^']+\.js)'/gm;
  for (const [, ...specifiers] of source.matchAll(whole)) {
    for (const specifier of specifiers)
      if (specifier !== undefined) uses.push({ target: targetOf(specifier), names: 'all' });
  }
  return uses;
}

function exportsOf(source: string): string[] {
  const declared =
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm;
  return [...source.matchAll(declared)].map(([, name = '']) => name);
}
