import { stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { type DocumentFault, errorAt, type KeyPath, warningAt } from '../lib/documents/document-fault.js';
import type { ConfigurationDocument } from './configuration-document.js';
import type { LoadedServices } from './load-services.js';
import { checkModules } from './module-checks.js';

/**
 * Whether the folders and files that the configuration names are there. Paths are relative to the configuration.
 * @param services undefined: none is configured
 */
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
    const message = `"${named}" lies in node_modules: npm removes it with the next version; give a folder elsewhere`;
    faults.push(warningAt(path, message));
  }
  if (document.scenarios !== undefined) {
    const folder = resolve(dirname(file), document.scenarios);
    faults.push(...(await checkModules({ document, services }, folder, document.scenarios)));
  }
  return faults;
}

/** What the server writes. A part of the configuration that has a fault may be missing. */
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

function* namedFiles(document: ConfigurationDocument): Generator<{ path: KeyPath; named: string; kind: FileKind }> {
  for (const [name, named] of Object.entries(document.directories)) {
    yield { path: ['directories', name], named, kind: 'folder' };
  }
  if (document.scenarios !== undefined) yield { path: ['scenarios'], named: document.scenarios, kind: 'folder' };
  for (const [name, { tls }] of Object.entries(document.lines)) {
    if (typeof tls !== 'object') continue;
    const files: { readonly ca?: string; readonly cert?: string; readonly key?: string } = tls;
    for (const key of ['ca', 'cert', 'key'] as const) {
      const named = files[key];
      if (named !== undefined) yield { path: ['lines', name, 'tls', key], named, kind: 'file' };
    }
  }
  for (const [name, { form }] of Object.entries(document.printers)) {
    if (form.font !== undefined) yield { path: ['printers', name, 'form', 'font'], named: form.font, kind: 'file' };
  }
  for (const key of ['ca', 'bindPasswordFile'] as const) {
    const named = document.security.ldap?.[key];
    if (named !== undefined) yield { path: ['security', 'ldap', key], named, kind: 'file' };
  }
  for (const key of ['cert', 'key', 'ca'] as const) {
    const named = document.cluster?.tls?.[key];
    if (named !== undefined) yield { path: ['cluster', 'tls', key], named, kind: 'file' };
  }
  const { ca, password } = document.store ?? {};
  if (ca !== undefined) yield { path: ['store', 'ca'], named: ca, kind: 'file' };
  if (password?.file !== undefined) yield { path: ['store', 'password', 'file'], named: password.file, kind: 'file' };
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
