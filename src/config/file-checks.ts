import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type DocumentFault, errorAt, type KeyPath, warningAt } from '../lib/documents/source-diagnostic.js';
import { kindsOfSource, parserLimits } from '../scenarios/parser.js';
import type { ScenarioKind } from '../scenarios/syntax.js';
import type { ConfigurationDocument } from './configuration-document.js';
import type { LoadedServices } from './load-services.js';
import { readAtMost } from './read-source.js';
import { scenarioKeys } from './transaction-checks.js';

/**
 * Kinds of scenario that a key can run, in order of preference: finalScenario runs INITIAL if the module has no FINAL.
 */
const kindsOfKeys: Readonly<Record<string, readonly ScenarioKind[]>> = {
  identificationScenario: ['IDENTIFICATION'],
  initialScenario: ['INITIAL'],
  services: ['INITIAL'],
  inputScenario: ['INPUT'],
  outputScenario: ['OUTPUT'],
  finalScenario: ['FINAL', 'INITIAL'],
};

interface NamingModules {
  readonly document: ConfigurationDocument;
  readonly services: LoadedServices | undefined;
}

/**
 * Warns if a configured module is missing or has no scenario of the required kind. These are only warnings because the
 * module may be added later.
 */
async function checkModules(naming: NamingModules, folder: string, named: string): Promise<DocumentFault[]> {
  const files = new Map<string, string>();
  try {
    for (const entry of await readdir(folder)) files.set(entry.toUpperCase(), entry);
  } catch {
    return [];
  }
  const kindsOfFiles = new Map<string, ReadonlySet<ScenarioKind> | undefined>();
  const faults: DocumentFault[] = [];
  for (const { path, key, module, service } of namedModules(naming)) {
    const of = service === undefined ? '' : `the service "${service}": `;
    const file = files.get(`${module.toUpperCase()}.SCN`);
    if (file === undefined) {
      faults.push(warningAt(path, `${of}expected the file ${module}.scn in "${named}", found none`));
      continue;
    }
    if (!kindsOfFiles.has(file)) kindsOfFiles.set(file, await kindsOf(join(folder, file)));
    const kinds = kindsOfFiles.get(file);
    const wanted = kindsOfKeys[key] ?? [];
    if (kinds === undefined || wanted.some((kind) => kinds.has(kind))) continue;
    const found = kinds.size === 0 ? 'none' : [...kinds].join(', ');
    const meaning = key === 'identificationScenario' ? ': every call is refused with 500' : '';
    faults.push(
      warningAt(
        path,
        `${of}expected a scenario of kind ${wanted[0]} in ${file} of "${named}", found ${found}${meaning}`,
      ),
    );
  }
  return faults;
}

function* namedModules({
  document,
  services,
}: NamingModules): Generator<{ path: KeyPath; key: string; module: string; service?: string }> {
  for (const { name: service, work } of services?.services.values() ?? []) {
    if (work.kind === 'scenario') yield { path: ['services'], key: 'services', module: work.module, service };
  }
  for (const [name, { transactions, identificationScenario }] of Object.entries(document.entryPoints)) {
    const key = 'identificationScenario';
    if (identificationScenario !== undefined) {
      yield { path: ['entryPoints', name, key], key, module: identificationScenario };
    }
    for (const [transactionKey, transaction] of Object.entries(transactions)) {
      for (const scenarioKey of scenarioKeys) {
        const module = transaction[scenarioKey];
        const path = ['entryPoints', name, 'transactions', transactionKey, scenarioKey];
        if (module !== undefined) yield { path, key: scenarioKey, module };
      }
    }
  }
}

/** Undefined if the file cannot be read; the assembler reports that error. */
async function kindsOf(file: string): Promise<ReadonlySet<ScenarioKind> | undefined> {
  try {
    const bytes = await readAtMost(file, parserLimits.sourceLength);
    return bytes.length > parserLimits.sourceLength ? undefined : kindsOfSource(bytes.toString(), file);
  } catch {
    return undefined;
  }
}

/** Checks that configured folders and files exist. Paths are relative to the configuration. */
export async function checkFiles(
  document: ConfigurationDocument,
  file: string,
  services: LoadedServices | undefined,
): Promise<DocumentFault[]> {
  const faults: DocumentFault[] = [];
  for (const { path, named, kind } of namedFiles(document)) {
    const found = await kindOf(resolve(dirname(file), named));
    if (found !== kind) faults.push(errorAt(path, `expected a ${kind}, found ${found} at "${named}"`));
  }
  for (const { path, named } of stateOf(document)) {
    if (!resolve(dirname(file), named).split(sep).includes('node_modules')) continue;
    const message = `"${named}" is in node_modules, which npm replaces when it installs another version; give a folder elsewhere`;
    faults.push(warningAt(path, message));
  }
  if (document.scenarios !== undefined) {
    const folder = resolve(dirname(file), document.scenarios);
    faults.push(...(await checkModules({ document, services }, folder, document.scenarios)));
  }
  return faults;
}

/** Paths that the server writes to. Parts of the configuration with errors may be missing. */
function* stateOf({ data, security, macros, printers = {} }: Partial<ConfigurationDocument>) {
  if (data !== undefined) yield { path: ['data'], named: data };
  const { database }: { database?: string } = security ?? {};
  if (database !== undefined) yield { path: ['security', 'database'], named: database };
  if (macros !== undefined) yield { path: ['macros'], named: macros };
  for (const [name, { spool, output }] of Object.entries(printers)) {
    if (spool.folder !== undefined) yield { path: ['printers', name, 'spool', 'folder'], named: spool.folder };
    if (output !== undefined) yield { path: ['printers', name, 'output', 'folder'], named: output.folder };
  }
}

type FileKind = 'folder' | 'file';

interface NamedFile {
  readonly path: KeyPath;
  readonly named: string;
  readonly kind: FileKind;
}

function* namedFiles(document: ConfigurationDocument): Generator<NamedFile> {
  for (const [name, named] of Object.entries(document.directories)) {
    yield { path: ['directories', name], named, kind: 'folder' };
  }
  if (document.scenarios !== undefined) yield { path: ['scenarios'], named: document.scenarios, kind: 'folder' };
  for (const [name, { tls }] of Object.entries(document.lines)) {
    yield* filesIn(tls, ['lines', name, 'tls'], ['ca', 'cert', 'key']);
  }
  for (const [name, { form }] of Object.entries(document.printers)) {
    yield* filesIn(form, ['printers', name, 'form'], ['font']);
  }
  yield* filesIn(document.security.ldap, ['security', 'ldap'], ['ca', 'bindPasswordFile']);
  yield* filesIn(document.cluster?.tls, ['cluster', 'tls'], ['cert', 'key', 'ca']);
  yield* filesIn(document.store, ['store'], ['ca']);
  yield* filesIn(document.store?.password, ['store', 'password'], ['file']);
}

function* filesIn(part: unknown, path: KeyPath, keys: readonly string[]): Generator<NamedFile> {
  for (const key of keys) {
    const named: unknown = Object(part)[key];
    if (typeof named === 'string') yield { path: [...path, key], named, kind: 'file' };
  }
}

async function kindOf(path: string): Promise<FileKind | 'nothing' | 'something else'> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? 'file' : 'something else';
  } catch {
    return 'nothing';
  }
}
