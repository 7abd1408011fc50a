import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ScreenCondition, ScreenDefinition } from '../conversation/screen-definition.js';
import { type DocumentFault, errorAt } from '../document/document-fault.js';
import { faultsOf, schemaOptions } from '../document/schema-faults.js';
import { diagnosticsOf, inOrder } from '../document/source-diagnostics.js';
import { readYaml } from '../document/yaml-source.js';
import { buildService } from '../services/build-service.js';
import type { ServiceDefinition } from '../services/service-definition.js';
import type { ServiceDocument } from '../services/service-document.js';
import { type SourceDiagnostic, SourceError } from '../source-diagnostic.js';
import { installationFolder } from './installation.js';
import { readSource } from './read-source.js';

/** Bytes of one file of a services folder. */
export const LARGEST_SERVICE_BYTES = 256 * 1024;
/** Files of a services folder. */
export const MOST_SERVICE_FILES = 1_000;

const SCREENS_FILE = 'screens.yaml';

/** What a services folder holds, as far as it is sound. */
export interface LoadedServices {
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  /** Files with something to say of, in the order of their names. */
  readonly reports: readonly ServiceReport[];
}

export interface ServiceReport {
  readonly diagnostics: readonly SourceDiagnostic[];
  /** To show them with. */
  readonly source: string;
}

interface Schemas {
  readonly screens: ValidateFunction;
  readonly service: ValidateFunction;
}

let compiled: Schemas | undefined;

/** Reads and checks `screens.yaml` and all services of a folder. Nothing of a faulty file is in the answer but its faults. */
export async function loadServices(folder: string): Promise<LoadedServices> {
  const names = await yamlFiles(folder);
  if (names === undefined) return unreadable(folder, 'no such folder, or no permission to read it');
  if (names.length > MOST_SERVICE_FILES) {
    return unreadable(folder, `expected at most ${MOST_SERVICE_FILES} files, found ${names.length}`);
  }
  const reports: ServiceReport[] = [];
  const screens = new Map<string, ScreenDefinition>();
  const services = new Map<string, ServiceDefinition>();
  const read = async (name: string, take: (document: unknown) => readonly DocumentFault[]) => {
    const report = await readFile(join(folder, name), take);
    if (report.diagnostics.length > 0) reports.push(report);
  };
  if (names.includes(SCREENS_FILE)) await read(SCREENS_FILE, (document) => takeScreens(document, screens));
  const isWhole = !reports.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'));
  const known = isWhole ? new Set(screens.keys()) : undefined;
  for (const name of names) {
    if (name === SCREENS_FILE) continue;
    await read(name, (document) => takeService(document, known, services));
  }
  return { screens, services, reports };
}

/** Files of a folder that is none yet. */
interface ServiceTexts {
  readonly screens: string;
  readonly service: string;
}

/** Checks one service and its screens as they would be checked in a folder of their own. */
export function checkServiceTexts(texts: ServiceTexts): LoadedServices {
  const screens = new Map<string, ScreenDefinition>();
  const services = new Map<string, ServiceDefinition>();
  const first = checkText(texts.screens, SCREENS_FILE, (document) => takeScreens(document, screens));
  const known = first.diagnostics.some(({ severity }) => severity === 'error') ? undefined : new Set(screens.keys());
  const second = checkText(texts.service, 'service.yaml', (document) => takeService(document, known, services));
  return { screens, services, reports: [first, second].filter(({ diagnostics }) => diagnostics.length > 0) };
}

async function yamlFiles(folder: string): Promise<string[] | undefined> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith('.yaml') && !name.startsWith('.')).sort();
  } catch {
    return undefined;
  }
}

function unreadable(folder: string, message: string): LoadedServices {
  const diagnostics = [{ file: folder, line: 1, column: 1, message, severity: 'error' as const }];
  return { screens: new Map(), services: new Map(), reports: [{ diagnostics, source: '' }] };
}

async function readFile(file: string, take: (document: unknown) => readonly DocumentFault[]): Promise<ServiceReport> {
  try {
    return checkText(await readSource(file, LARGEST_SERVICE_BYTES, 'the file'), file, take);
  } catch (error) {
    if (error instanceof SourceError) return { diagnostics: error.diagnostics, source: error.source };
    throw error;
  }
}

function checkText(text: string, file: string, take: (document: unknown) => readonly DocumentFault[]): ServiceReport {
  const yaml = readYaml(text, file);
  if (yaml.diagnostics.length > 0) return { diagnostics: inOrder(yaml.diagnostics, file), source: yaml.shownSource };
  const faults = take(yaml.value);
  return { diagnostics: inOrder(diagnosticsOf(faults, yaml, file), file), source: yaml.shownSource };
}

function takeScreens(document: unknown, screens: Map<string, ScreenDefinition>): readonly DocumentFault[] {
  const { screens: validate } = schemas();
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

const kinds = ['text', 'not', 'fields', 'inputFields', 'cursor', 'attribute', 'blank'];

/** One condition says one thing; two of them are two items of the list. */
function conditionFaults(condition: ScreenCondition, path: readonly string[]): DocumentFault[] {
  const keys = Object.keys(condition);
  const named = kinds.filter((kind) => keys.includes(kind));
  if (named.length !== 1)
    return [errorAt(path, `expected one of ${kinds.join(', ')}, found ${named.join(', ') || 'none'}`)];
  if ('not' in condition) return conditionFaults(condition.not, [...path, 'not']);
  if (!('text' in condition)) {
    const stray = keys.find((key) => !kinds.includes(key));
    return stray === undefined ? [] : [errorAt([...path, stray], `only a text has ${stray}`)];
  }
  const { row, column, area } = condition;
  if (row === 0) return [errorAt([...path, 'row'], 'rows count from 1; a negative row counts from the bottom')];
  if (column !== undefined && row === undefined)
    return [errorAt([...path, 'column'], 'expected "row" beside "column"')];
  if (area !== undefined && row !== undefined) return [errorAt([...path, 'area'], 'expected either "row" or "area"')];
  return [];
}

function takeService(
  document: unknown,
  screens: ReadonlySet<string> | undefined,
  services: Map<string, ServiceDefinition>,
): readonly DocumentFault[] {
  const { service: validate } = schemas();
  if (!validate(document)) return faultsOf(validate.errors ?? []);
  const { service, faults } = buildService(document as ServiceDocument, screens);
  if (services.has(service.name)) {
    return [...faults, errorAt(['service'], `another file has a service "${service.name}" already`)];
  }
  if (faults.every(({ severity }) => severity === 'warning')) services.set(service.name, service);
  return faults;
}

function schemas(): Schemas {
  compiled ??= compile();
  return compiled;
}

function compile(): Schemas {
  const ajv = new Ajv2020(schemaOptions);
  const read = (name: string): object => JSON.parse(readFileSync(join(installationFolder, name), 'utf8'));
  return { screens: ajv.compile(read('screens.schema.json')), service: ajv.compile(read('service.schema.json')) };
}
