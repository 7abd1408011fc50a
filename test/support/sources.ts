import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { projectFolder } from './project.js';

export interface Import {
  readonly specifier: string;
  readonly typesOnly: boolean;
  readonly names: readonly string[];
}

export interface Edge {
  readonly file: string;
  readonly target: string;
  readonly typesOnly: boolean;
}

/** Source texts by path, without declarations of third parties. */
export function sourcesBelow(...folders: readonly string[]): ReadonlyMap<string, string> {
  const files = folders.flatMap(filesBelow).filter((file) => !file.endsWith('.d.ts'));
  return new Map(files.map((file) => [file, readFileSync(join(projectFolder, file), 'utf8')]));
}

function filesBelow(folder: string): string[] {
  const path = join(projectFolder, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name).split(sep).join('/'))
    .sort();
}

/** Only relative imports refer to project files. */
export function edgesOf(sources: ReadonlyMap<string, string>): Edge[] {
  return [...sources].flatMap(([file, source]) =>
    importsOf(source)
      .filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('.json'))
      .map(({ specifier, typesOnly }) => ({ file, target: targetOf(file, specifier), typesOnly })),
  );
}

export function targetOf(file: string, specifier: string): string {
  const target = resolve(projectFolder, dirname(file), specifier.replace(/\.js$/, '.ts'));
  return relative(projectFolder, target).split(sep).join('/');
}

export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function importsOf(source: string): Import[] {
  const text = withoutComments(source);
  const found: Import[] = [];
  for (const [, type, clause = '', specifier = ''] of text.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?(?:([\w*\s{},$]+?)\s+from\s+)?'([^']+)'/gm,
  )) {
    const names = /^\{([^}]*)\}$/
      .exec(clause.trim())?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const allTypes = names?.every((name) => name.startsWith('type ')) ?? false;
    const values = names?.filter((name) => !name.startsWith('type ')) ?? [];
    found.push({
      specifier,
      typesOnly: type !== undefined || allTypes,
      names: values.map((name) => name.replace(/\s+as\s.*$/, '')),
    });
  }
  for (const [, specifier = ''] of text.matchAll(/\bimport\(\s*'([^']+)'/g))
    found.push({ specifier, typesOnly: false, names: [] });
  return found;
}

export function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

export function withoutTexts(source: string): string {
  return withoutComments(source).replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''");
}

export function cyclesOf(edges: readonly Pick<Edge, 'file' | 'target'>[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of edges) targets.set(file, [...(targets.get(file) ?? []), target]);
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]) => {
    if (finished.has(file)) return;
    const start = trail.indexOf(file);
    if (start >= 0) {
      cycles.push([...trail.slice(start), file].join(' -> '));
      return;
    }
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    finished.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}
