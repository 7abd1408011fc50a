import { createHmac, randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { type DocumentFault, errorAt } from '../lib/documents/document-fault.js';
import { type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import { diagnosticsOf, inOrder } from '../lib/documents/source-diagnostics.js';
import { readYaml } from '../lib/documents/yaml-source.js';
import { codePageNames, findCodePage } from '../tn3270/codepage/code-pages.js';
import { buildConfiguration } from './build-configuration.js';
import { checkCluster } from './cluster-checks.js';
import type { Configuration } from './configuration.js';
import { checkAgainstSchema } from './configuration-schema.js';
import { checkFiles } from './file-checks.js';
import { checkHosts } from './host-checks.js';
import { checkLines } from './line-checks.js';
import { type LoadedServices, loadServices, withoutSources } from './load-services.js';
import { warnOfNotServed } from './not-served.js';
import { checkPools } from './pool-checks.js';
import { emptyPoolPasswords, type PoolPasswords, readPoolPasswords } from './pool-passwords.js';
import { checkPrinters } from './printer-checks.js';
import { checkProcesses } from './process-checks.js';
import { readSource } from './read-source.js';
import { ShownConfiguration } from './shown-configuration.js';
import { soundPart } from './sound-part.js';
import { checkStore } from './store-checks.js';
import { checkTerminalSettings } from './terminal-settings-checks.js';
import { checkEntryPoints } from './transaction-checks.js';
import { warnOfNoEffect } from './without-effect.js';

export const LARGEST_CONFIGURATION_BYTES = 1024 * 1024;

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  /** Warnings, in the order of the file. */
  readonly diagnostics: readonly SourceDiagnostic[];
  /** The text of the file, passwords masked, to show diagnostics with. */
  readonly source: string;
}

/** What is read besides the file. */
export interface LoadingOptions {
  /** False: those of pools are left empty, for commands that open no session of a pool: they stand where the server alone has them. */
  readonly withPoolPasswords?: boolean;
}

/**
 * Reads and checks a configuration file.
 *
 * @throws SourceError with every error of the file, in its order
 */
export async function loadConfiguration(
  file: string,
  { withPoolPasswords = true }: LoadingOptions = {},
): Promise<LoadedConfiguration> {
  const text = await readSource(file, LARGEST_CONFIGURATION_BYTES, 'the configuration');
  const yaml = readYaml(text, file);
  if (yaml.diagnostics.length > 0) throw new SourceError(inOrder(yaml.diagnostics, file), yaml.shownSource);

  const document = yaml.value;
  // before the schema fills its defaults in
  const written = structuredClone(document);
  const faults: DocumentFault[] = checkAgainstSchema(document);
  const sound = soundPart(document, faults);
  let codePage = '';
  let services: LoadedServices | undefined;
  let passwords: PoolPasswords = new Map();
  if (sound) {
    const { DEFUTF8 } = sound.document.tct;
    // left out where the schema found a fault in it
    codePage = DEFUTF8 === undefined ? '' : (findCodePage(DEFUTF8)?.name ?? '');
    if (DEFUTF8 !== undefined && codePage === '') {
      const guess = sound.names.guesses.didYouMean(DEFUTF8, codePageNames());
      faults.push(errorAt(['tct', 'DEFUTF8'], `expected a known EBCDIC code page, found "${DEFUTF8}"${guess}`));
    }
    services = await servicesOf(sound.document.services, file);
    const read = withPoolPasswords
      ? await readPoolPasswords(sound.document, file)
      : { passwords: emptyPoolPasswords(sound.document), faults: [] };
    passwords = read.passwords;
    faults.push(
      ...read.faults,
      ...checkPools(sound, services),
      ...checkLines(sound),
      ...checkHosts(sound),
      ...checkEntryPoints(sound),
      ...checkPrinters(sound),
      ...checkTerminalSettings(sound),
      ...checkStore(sound.document.store),
      ...checkProcesses(sound.document),
      ...checkCluster(sound.document),
      ...warnOfNotServed(sound.document),
      ...(await checkFiles(sound.document, file, services)),
    );
    // of a file with errors nothing but those is told, and parts of it may be missing
    if (faults.every(({ severity }) => severity === 'warning')) faults.push(...warnOfNoEffect(sound.document));
  }
  const diagnostics = diagnosticsOf(faults, yaml, file);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !sound) throw new SourceError(inOrder(errors, file), yaml.shownSource);
  return {
    configuration: buildConfiguration(sound.document, file, {
      read: new ShownConfiguration(tagOf(text), written),
      codePage,
      services: withoutSources(services ?? noServices),
      passwords,
    }),
    diagnostics: inOrder(diagnostics, file),
    source: yaml.shownSource,
  };
}

/** Of a configuration file as it is now. @throws SourceError */
export async function tagOfConfiguration(file: string): Promise<string> {
  return tagOf(await readSource(file, LARGEST_CONFIGURATION_BYTES, 'the configuration'));
}

const tagKey = randomBytes(32);

/** Of this process alone: whoever has it cannot try passwords until it is the same. */
function tagOf(text: string): string {
  return createHmac('sha256', tagKey).update(text).digest('hex');
}

const noServices: LoadedServices = {
  screens: new Map(),
  services: new Map(),
  serviceFiles: new Map(),
  screenPlaces: new Map(),
  reports: [],
};

async function servicesOf(folder: string | undefined, file: string): Promise<LoadedServices | undefined> {
  return folder === undefined ? undefined : loadServices(resolve(dirname(file), folder));
}
