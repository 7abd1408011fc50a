import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentFault, type KeyPath, warningAt } from '../lib/documents/document-fault.js';
import { kindsOfSource, parserLimits } from '../scenarios/parser.js';
import type { ScenarioKind } from '../scenarios/syntax.js';
import type { ConfigurationDocument } from './configuration-document.js';
import type { LoadedServices } from './load-services.js';
import { readAtMost } from './read-at-most.js';
import { scenarioKeys } from './transaction-checks.js';

/** What a key runs of the module that it names; of one for finalScenario without FINAL, INITIAL is run. */
const kindsOfKeys: Readonly<Record<string, readonly ScenarioKind[]>> = {
  identificationScenario: ['IDENTIFICATION'],
  initialScenario: ['INITIAL'],
  services: ['INITIAL'],
  inputScenario: ['INPUT'],
  outputScenario: ['OUTPUT'],
  finalScenario: ['FINAL', 'INITIAL'],
};

/** What names modules: the configuration, and the services of its folder. */
interface NamingModules {
  readonly document: ConfigurationDocument;
  readonly services: LoadedServices | undefined;
}

/**
 * Whether the modules that the configuration names are there, and hold a scenario of the kind that is run of them. What is not
 * there yet may come later: that deserves a warning.
 */
export async function checkModules(naming: NamingModules, folder: string, named: string): Promise<DocumentFault[]> {
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

/** Undefined: it cannot be read, which whoever assembles it says. */
async function kindsOf(file: string): Promise<ReadonlySet<ScenarioKind> | undefined> {
  try {
    const bytes = await readAtMost(file, parserLimits.sourceLength);
    return bytes.length > parserLimits.sourceLength ? undefined : kindsOfSource(bytes.toString(), file);
  } catch {
    return undefined;
  }
}
