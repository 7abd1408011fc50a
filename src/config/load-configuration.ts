import { createHmac, randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { Document } from 'yaml';
import { isObject } from '../lib/documents/json-checks.js';
import {
  type DocumentFault,
  errorAt,
  type KeyPath,
  type SourceDiagnostic,
  SourceError,
  warningAt,
} from '../lib/documents/source-diagnostic.js';
import { readYaml } from '../lib/documents/yaml-source.js';
import { reasonText } from '../lib/locale.js';
import { isSecretName } from '../lib/secrets/secret-text.js';
import { applicationTypes, securityLevels } from '../lines/entry-point/transaction.js';
import type { ReadConfiguration } from '../operation/configuration-operations.js';
import { readSettings } from '../terminal/settings/read-settings.js';
import { codePageNames, findCodePage, findTerminalCodePage } from '../tn3270/codepage/code-pages.js';
import { findTerminalModel } from '../tn3270/screen/screen-size.js';
import { buildConfiguration } from './build-configuration.js';
import type { Configuration } from './configuration.js';
import type {
  ConfigurationDocument,
  PrinterDocument,
  StoreDocument,
  TerminalSettingsRuleDocument,
} from './configuration-document.js';
import { checkFiles } from './file-checks.js';
import { checkCiphers, checkLines } from './line-checks.js';
import { type LoadedServices, loadServices, noServices, withoutSources } from './load-services.js';
import { readListenAddress, readServiceAddress } from './network-address.js';
import { readStoreAddress } from './open-store.js';
import { checkPools } from './pool-checks.js';
import { emptyPoolPasswords, type PoolPasswords, readPoolPasswords } from './pool-passwords.js';
import { checkProcesses } from './process-checks.js';
import { diagnosticsOf, inOrder, readSource } from './read-source.js';
import { faultsOf } from './schema-faults.js';
import { configuration } from './schema-validators.js';
import { nameFault, type SoundPart, soundPart } from './sound-part.js';
import { checkEntryPoints } from './transaction-checks.js';
import { unservedTypes, warnOfNoEffect } from './without-effect.js';

const MASK = '(masked)';

/** Keys that match the pattern of secrets but hold file paths, service names or addresses. */
const harmless: ReadonlySet<string> = new Set([
  'bindPasswordFile',
  'key',
  'keysReady',
  'keysWaiting',
  'signOn',
  'signOff',
  'signOnsPerUser',
  'passTicket',
]);
/** The keys below these are names chosen by users; a transaction may be called SIGNON. */
const named: ReadonlySet<string> = new Set([
  'hosts',
  'lines',
  'entryPoints',
  'transactions',
  'pools',
  'printers',
  'directories',
]);
/** Connection scripts: text that they type may be a password. */
const scripts: ReadonlySet<string> = new Set(['tioaAtLogon', 'tioaAtLogoff']);
const order = /(&&|&\/.|&\(|&\)|&>|&\*[0-9A-Fa-f]{6}|&=[^=]{1,64}=|&8[2-9A-F]|&[^'#])|&'[^']*'?|&#..|[^&]+|&/gs;

/**
 * The configuration in a form that can be shown: without comments, with secrets masked. A value is masked if its key
 * looks like the name of a secret.
 */
class ShownConfiguration implements ReadConfiguration {
  readonly readAt = Date.now();
  readonly #masked: unknown;
  #text: string | undefined;

  constructor(
    readonly tag: string,
    document: unknown,
  ) {
    this.#masked = shown(document, []);
  }

  /** Computed on demand, because it takes as long as reading the file. */
  get text(): string {
    // without folded rows
    this.#text ??= new Document(this.#masked, { aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
    return this.#text;
  }
}

function shown(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(item, path));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(item, [...path, name])]));
  }
  if (typeof value === 'boolean' || value === null) return value;
  if (scripts.has(path.at(-1) ?? ''))
    return String(value).replace(order, (text, kept) => (kept === undefined ? MASK : text));
  return isSecret(path) ? MASK : value;
}

/** @param path names of keys, without list indexes */
function isSecret(path: readonly string[]): boolean {
  const users = path.indexOf('users');
  if (users >= 0) {
    const place = path.slice(users + 1).join('.');
    return path[0] !== 'pools' || !['user', 'password.env', 'password.file'].includes(place);
  }
  return path.some((name, at) => isSecretName(name) && !harmless.has(name) && !named.has(path[at - 1] ?? ''));
}

const unservedSecurity: readonly number[] = [securityLevels.ntlm, securityLevels.certificate];

/** Warns about options that this version accepts but does not serve. */
function* warnOfNotServed(document: ConfigurationDocument): Generator<DocumentFault> {
  for (const [name, { transactions }] of Object.entries(document.entryPoints)) {
    for (const [transactionName, transaction] of Object.entries(transactions)) {
      const { applicationType, security } = transaction;
      const path = ['entryPoints', name, 'transactions', transactionName];
      if (unservedTypes.includes(applicationType)) {
        yield warningAt(path, `not served by this version: application type ${applicationType}`);
      } else if (unservedSecurity.includes(security)) {
        yield warningAt(path, `not served by this version: security ${security} (requests are refused with 403)`);
      }
    }
  }
}

const LARGEST_CONFIGURATION_BYTES = 1024 * 1024;

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly diagnostics: readonly SourceDiagnostic[];
  readonly source: string;
}

export interface LoadingOptions {
  /** False leaves pool passwords empty, for commands without access to them. */
  readonly withPoolPasswords?: boolean;
}

/** @throws SourceError with all errors of the file, in file order */
export async function loadConfiguration(
  file: string,
  { withPoolPasswords = true }: LoadingOptions = {},
): Promise<LoadedConfiguration> {
  const text = await readSource(file, LARGEST_CONFIGURATION_BYTES, 'the configuration');
  const yaml = readYaml(text, file);
  if (yaml.diagnostics.length > 0) throw new SourceError(inOrder(yaml.diagnostics, file), yaml.shownSource);

  const document = yaml.value;
  // copied before the schema check fills in defaults
  const written = structuredClone(document);
  // sallyport.schema.json (JSON Schema 2020-12), which also fills in its defaults
  const faults: DocumentFault[] = configuration(document) ? [] : faultsOf(configuration.errors ?? []);
  const sound = soundPart(document, faults);
  let codePage = '';
  let services: LoadedServices | undefined;
  let passwords: PoolPasswords = new Map();
  if (sound) {
    const { DEFUTF8 } = sound.document.tct;
    // missing if it violates the schema
    codePage = DEFUTF8 === undefined ? '' : (findCodePage(DEFUTF8)?.name ?? '');
    if (DEFUTF8 !== undefined && codePage === '') {
      faults.push(nameFault(['tct', 'DEFUTF8'], 'a known EBCDIC code page', DEFUTF8, codePageNames(), sound.names));
    }
    const { services: folder } = sound.document;
    if (folder !== undefined) services = await loadServices(resolve(dirname(file), folder));
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
    // a file with errors reports only errors; parts of its document may be missing
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

export async function tagOfConfiguration(file: string): Promise<string> {
  return tagOf(await readSource(file, LARGEST_CONFIGURATION_BYTES, 'the configuration'));
}

const tagKey = randomBytes(32);

/** Keyed with a random key of this process, so that the tag cannot be used to test guessed passwords. */
function tagOf(text: string): string {
  return createHmac('sha256', tagKey).update(text).digest('hex');
}

function* checkCluster({ cluster, store }: ConfigurationDocument): Generator<DocumentFault> {
  if (cluster?.listen === undefined) return;
  if (store === undefined)
    yield errorAt(['cluster', 'listen'], 'needs the key "store": nodes find each other in the database');
  if (cluster.tls === undefined) yield errorAt(['cluster', 'listen'], 'needs the key "tls"');
  const listen = readListenAddress(cluster.listen);
  if (listen.kind === 'fault') yield errorAt(['cluster', 'listen'], listen.fault);
  else if (listen.value.host === undefined && cluster.address === undefined) {
    yield errorAt(['cluster', 'listen'], 'needs the key "address", to which other nodes connect');
  }
  if (cluster.address === undefined) return;
  const address = readServiceAddress(cluster.address);
  if (address.kind === 'fault') yield errorAt(['cluster', 'address'], address.fault);
}

function* checkHosts({ document, names }: SoundPart): Generator<DocumentFault> {
  for (const [name, host] of Object.entries(document.hosts)) {
    const { deviceType, codePage } = host;
    if (!host.simulated) yield* checkCiphers(['hosts', name, 'tls', 'ciphers'], host.tls);
    const model = findTerminalModel(deviceType);
    if (model.kind === 'fault') yield errorAt(['hosts', name, 'deviceType'], model.fault);
    if (findTerminalCodePage(codePage) === undefined) {
      yield nameFault(['hosts', name, 'codePage'], 'a known EBCDIC code page', codePage, codePageNames(), names);
    }
  }
}

/** Checks only the form of the address; `doctor` checks the connection. */
function* checkStore(store: StoreDocument | undefined): Generator<DocumentFault> {
  if (store === undefined) return;
  const address = readStoreAddress(store.postgresql);
  if (address.kind === 'fault') yield errorAt(['store', 'postgresql'], address.fault);
  const { env } = store.password ?? {};
  if (env !== undefined && (process.env[env] ?? '') === '') {
    yield errorAt(['store', 'password', 'env'], `the environment variable "${env}" is not set`);
  }
  if (store.ca !== undefined && address.kind !== 'fault' && !address.value.usesTls) {
    yield warningAt(['store', 'ca'], 'has no effect: there is no TLS');
  }
}

function* checkTerminalSettings({ document }: SoundPart): Generator<DocumentFault> {
  for (const [name, { terminalSettings }] of Object.entries(document.entryPoints)) {
    if (terminalSettings === undefined) continue;
    const path = ['entryPoints', name, 'terminalSettings'];
    yield* checkDefaults(path, terminalSettings);
    for (const [group, rule] of Object.entries(terminalSettings.groups ?? {})) {
      yield* checkDefaults([...path, 'groups', group], rule);
    }
  }
}

function* checkDefaults(path: KeyPath, { defaults = {} }: TerminalSettingsRuleDocument): Generator<DocumentFault> {
  for (const { name, reason } of readSettings(defaults).faults) {
    yield errorAt([...path, 'defaults', name], reasonText(reason, 'en'));
  }
}

function* checkPrinters({ document, names }: SoundPart): Generator<DocumentFault> {
  for (const [name, printer] of Object.entries(document.printers)) {
    const path = ['printers', name];
    const { host, luName, associate, output, groups, spool } = printer;
    if (!names.hosts.includes(host)) {
      yield nameFault([...path, 'host'], 'a host of this file', host, names.hosts, names);
    }
    if (associate && luName !== undefined) {
      yield errorAt(
        [...path, 'luName'],
        'the host chooses the printer of a display: leave out this key or "associate"',
      );
    }
    if (associate && groups.length > 0) {
      yield errorAt(
        [...path, 'groups'],
        'the documents of a session belong to its user: leave out this key or "associate"',
      );
    }
    if (spool.folder !== undefined && (associate || groups.length === 0)) {
      const whose = associate ? 'of a session are deleted with it' : 'without "groups" are in "output"';
      yield errorAt([...path, 'spool', 'folder'], `the documents of a printer ${whose}: leave out this key`);
    }
    if (!associate && document.processes !== 1) {
      yield errorAt(
        path,
        'several processes would request it, but only one can use it: expected "associate", or one process',
      );
    }
    if (!associate && output === undefined && groups.length === 0) {
      yield errorAt(path, 'its documents would not be accessible: expected the key "output", "groups" or "associate"');
    }
  }
  yield* checkTransactions({ document, names });
}

function* checkTransactions({ document, names }: SoundPart): Generator<DocumentFault> {
  for (const [entryPoint, { transactions }] of Object.entries(document.entryPoints)) {
    for (const [name, { printer, application, applicationType }] of Object.entries(transactions)) {
      if (printer === undefined) continue;
      const path = ['entryPoints', entryPoint, 'transactions', name, 'printer'];
      if (applicationType !== applicationTypes.hostApplication) {
        yield errorAt(path, `a terminal shows documents: expected application type 1, found ${applicationType}`);
      } else if (!names.printers.includes(printer)) {
        yield nameFault(path, 'a printer of this file', printer, names.printers, names);
      } else {
        const fault = faultOf(document.printers[printer], application);
        if (fault !== undefined) yield errorAt(path, fault);
      }
    }
  }
}

function faultOf(printer: PrinterDocument | undefined, application: string): string | undefined {
  if (printer === undefined) return undefined;
  if (printer.associate && printer.host !== application) {
    return `expected a printer of the host "${application}", as its display is, found one of "${printer.host}"`;
  }
  if (!printer.associate && printer.groups.length === 0) return 'expected a printer with "associate" or "groups"';
  return undefined;
}
