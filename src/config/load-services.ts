import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentFault, errorAt, type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import { readYaml, type YamlSource } from '../lib/documents/yaml-source.js';
import { buildService } from '../services/build-service.js';
import { jsonPointer, type ParameterFault } from '../services/parameter.js';
import { conditionFaults } from '../services/place-faults.js';
import type { ServiceDefinition, StepsReading } from '../services/service-definition.js';
import type { ServiceDocument } from '../services/service-document.js';
import type { ServiceTexts } from '../services/service-publishing.js';
import type { ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import type { ScreenCondition } from '../tn3270/screen/screen-condition.js';
import { diagnosticsOf, inOrder, readSource } from './read-source.js';
import { faultsOf } from './schema-faults.js';
import * as schemaValidators from './schema-validators.js';

const LARGEST_SERVICE_BYTES = 256 * 1024;
const MOST_SERVICE_FILES = 1_000;

export const SCREENS_FILE = 'screens.yaml';

export interface LoadedServices {
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly serviceFiles: ReadonlyMap<string, string>;
  readonly screenPlaces: ReadonlyMap<string, ScreenPlace>;
  /** In the order of the file names; only files with errors or warnings. */
  readonly reports: readonly ServiceReport[];
}

type ScreenPlace = Pick<SourceDiagnostic, 'file' | 'line' | 'column'>;

interface ServiceReport {
  readonly diagnostics: readonly SourceDiagnostic[];
  readonly source: string;
}

export const noServices: LoadedServices = {
  screens: new Map(),
  services: new Map(),
  serviceFiles: new Map(),
  screenPlaces: new Map(),
  reports: [],
};

/**
 * Reads and checks `screens.yaml` and all services of a folder. A file with errors contributes only its diagnostics.
 * @param instead text by file name, replacing the file or adding one
 */
export async function loadServices(
  folder: string,
  instead: ReadonlyMap<string, string> = new Map(),
): Promise<LoadedServices> {
  const there = await yamlFiles(folder);
  if (there === undefined) return unreadable(folder, 'no such folder, or no permission to read it');
  const found = [...new Set([...there, ...instead.keys()])].sort();
  const names = found.filter((name) => name.endsWith('.yaml'));
  if (names.length > MOST_SERVICE_FILES) {
    return unreadable(folder, `expected at most ${MOST_SERVICE_FILES} files, found ${names.length}`);
  }
  const reports: ServiceReport[] = found
    .filter((name) => name.endsWith('.yml'))
    .map((name) => reportOn(join(folder, name), 'warning', 'it is ignored: names of service files end in .yaml'));
  const screens = new Map<string, ScreenDefinition>();
  const screenPlaces = new Map<string, ScreenPlace>();
  const services = new Map<string, ServiceDefinition>();
  const serviceFiles = new Map<string, string>();
  const read = async (name: string, take: (document: unknown) => readonly DocumentFault[]) => {
    const text = instead.get(name);
    const file = join(folder, name);
    const { yaml, ...report } = text === undefined ? await readFile(file, take) : checkBoundedText(text, file, take);
    if (name === SCREENS_FILE && yaml !== undefined) {
      for (const screen of screens.keys()) {
        screenPlaces.set(screen, { file: join(folder, name), ...yaml.place(['screens', screen], 'key') });
      }
    }
    if (report.diagnostics.length > 0) reports.push(report);
  };
  if (names.includes(SCREENS_FILE)) await read(SCREENS_FILE, (document) => takeScreens(document, screens));
  const isWhole = !reports.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'));
  const known = isWhole ? screens : undefined;
  for (const name of names) {
    if (name === SCREENS_FILE) continue;
    await read(name, (document) => takeService(document, known, services));
    const [service] = [...services.keys()].slice(serviceFiles.size);
    if (service !== undefined) serviceFiles.set(service, join(folder, name));
  }
  return { screens, services, serviceFiles, screenPlaces, reports };
}

function reportOn(file: string, severity: SourceDiagnostic['severity'], message: string): ServiceReport {
  return { diagnostics: [{ file, line: 1, column: 1, message, severity }], source: '' };
}

export function withoutSources({ reports, ...services }: LoadedServices): Omit<LoadedServices, 'reports'> & {
  readonly diagnostics: readonly SourceDiagnostic[];
} {
  return { ...services, diagnostics: reports.flatMap(({ diagnostics }) => diagnostics) };
}

/** Checks one service and its screens as if they were the only files of a folder. */
export function checkServiceTexts(texts: ServiceTexts): Pick<LoadedServices, 'screens' | 'services' | 'reports'> {
  const screens = new Map<string, ScreenDefinition>();
  const services = new Map<string, ServiceDefinition>();
  const first = checkText(texts.screens, SCREENS_FILE, (document) => takeScreens(document, screens));
  const known = first.diagnostics.some(({ severity }) => severity === 'error') ? undefined : screens;
  const second = checkText(texts.service, 'service.yaml', (document) => takeService(document, known, services));
  return { screens, services, reports: [first, second].filter(({ diagnostics }) => diagnostics.length > 0) };
}

export function readSteps(document: unknown, screens: ReadonlyMap<string, ScreenDefinition>): StepsReading {
  const validate = schemaValidators.service;
  const asService = { service: 'steps', steps: document };
  if (!validate(asService)) return { kind: 'faults', faults: faultsOf(validate.errors ?? []).map(pointed) };
  const { service, faults } = buildService(asService as unknown as ServiceDocument, screens);
  const errors = faults.filter(({ severity }) => severity === 'error');
  const steps = service.work.kind === 'steps' ? service.work.steps : [];
  for (const [at, { transfer }] of steps.entries()) {
    // session file transfers use their own path, which writes the audit entry
    if (transfer !== undefined) errors.push(errorAt(['steps', String(at), 'transfer'], 'only services transfer files'));
  }
  if (errors.length > 0) return { kind: 'faults', faults: errors.map(pointed) };
  return { kind: 'steps', steps };
}

function pointed({ path: [, ...path], message }: DocumentFault): ParameterFault {
  return { pointer: jsonPointer(path), message };
}

async function yamlFiles(folder: string): Promise<string[] | undefined> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.')).sort();
  } catch {
    return undefined;
  }
}

function unreadable(folder: string, message: string): LoadedServices {
  return { ...noServices, reports: [reportOn(folder, 'error', message)] };
}

interface ReadFile extends ServiceReport {
  readonly yaml?: YamlSource;
}

async function readFile(file: string, take: (document: unknown) => readonly DocumentFault[]): Promise<ReadFile> {
  try {
    return checkText(await readSource(file, LARGEST_SERVICE_BYTES, 'the file'), file, take);
  } catch (error) {
    if (error instanceof SourceError) return { diagnostics: error.diagnostics, source: error.source };
    throw error;
  }
}

function checkBoundedText(text: string, file: string, take: (document: unknown) => readonly DocumentFault[]): ReadFile {
  if (Buffer.byteLength(text) > LARGEST_SERVICE_BYTES) {
    return reportOn(file, 'error', `expected at most ${LARGEST_SERVICE_BYTES} bytes, found a larger file`);
  }
  return checkText(text, file, take);
}

function checkText(text: string, file: string, take: (document: unknown) => readonly DocumentFault[]): ReadFile {
  const yaml = readYaml(text, file);
  if (yaml.diagnostics.length > 0) return { diagnostics: inOrder(yaml.diagnostics, file), source: yaml.shownSource };
  const faults = take(yaml.value);
  return { diagnostics: inOrder(diagnosticsOf(faults, yaml, file), file), source: yaml.shownSource, yaml };
}

function takeScreens(document: unknown, screens: Map<string, ScreenDefinition>): readonly DocumentFault[] {
  const validate = schemaValidators.screens;
  if (!validate(document)) return faultsOf(validate.errors ?? []);
  const definitions = (document as { screens: Record<string, ScreenCondition[]> }).screens;
  const faults: DocumentFault[] = [];
  for (const [name, conditions] of Object.entries(definitions)) {
    for (const [at, condition] of conditions.entries()) {
      faults.push(...conditionFaults(condition, ['screens', name, String(at)]));
    }
    screens.set(name, { name, conditions });
  }
  return faults;
}

function takeService(
  document: unknown,
  screens: ReadonlyMap<string, ScreenDefinition> | undefined,
  services: Map<string, ServiceDefinition>,
): readonly DocumentFault[] {
  const validate = schemaValidators.service;
  if (!validate(document)) return faultsOf(validate.errors ?? []);
  const { service, faults } = buildService(document as ServiceDocument, screens);
  if (services.has(service.name)) {
    return [...faults, errorAt(['service'], `another file already has a service "${service.name}"`)];
  }
  if (faults.every(({ severity }) => severity === 'warning')) services.set(service.name, service);
  return faults;
}
