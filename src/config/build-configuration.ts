import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { readCryptDefinition } from '../crypto/crypt-definition.js';
import { soundValue } from '../lib/read-outcome.js';
import type { EntryPointDefinition } from '../lines/entry-point/entry-point.js';
import type { Transaction } from '../lines/entry-point/transaction.js';
import type { InboundLineDefinition } from '../lines/listener/line-definition.js';
import type { OutboundLineDefinition, OutboundTls } from '../scenarios/outbound/outbound-line-definition.js';
import type { PoolDefinition } from '../services/pool-state.js';
import { readSettings } from '../terminal/settings/read-settings.js';
import { attentionKeyNamed } from '../tn3270/keyboard/attention-keys.js';
import type { Configuration } from './configuration.js';
import type {
  ClusterDocument,
  ConfigurationDocument,
  EntryPointDocument,
  InboundLineDocument,
  OutboundLineDocument,
  PoolDocument,
  PrinterDocument,
  RemoteHostDocument,
  SecuritySettings,
  SimulatedHostDocument,
  StoreDocument,
  TerminalSettingsRuleDocument,
  TransactionDocument,
} from './configuration-document.js';
import { SITE_FROM_SCENARIO } from './line-checks.js';
import { readListenAddress, readServiceAddress } from './network-address.js';
import { type PoolPasswords, passwordKey } from './pool-passwords.js';
import { MOST_PROCESSES } from './process-checks.js';
import { NO_APPLICATION, readCryptKeyword } from './transaction-checks.js';
import { workerCode, workerFolder } from './worker-code.js';

/** Values read from other sources than the document. */
interface ReadBeside {
  readonly read: Configuration['read'];
  /** Canonical name of DEFUTF8. */
  readonly codePage: string;
  readonly services: Configuration['services'];
  readonly passwords: PoolPasswords;
}

/** Used between the workers of one machine if there is no key `cluster`. */
const NODE_SILENCE_SECONDS = 30;
const NODE_ANSWER_SECONDS = 7_200;

/** Converts a valid document to the configuration that the rest of the server uses. */
export function buildConfiguration(
  document: ConfigurationDocument,
  file: string,
  { read, codePage, services, passwords }: ReadBeside,
): Configuration {
  const absolute = (path: string) => resolve(dirname(file), path);
  const optional = (path: string | undefined) => (path === undefined ? undefined : absolute(path));
  const inboundLines: InboundLineDefinition[] = [];
  const outboundLines: OutboundLineDefinition[] = [];
  for (const [name, line] of Object.entries(document.lines)) {
    if (line.outbound) outboundLines.push(outboundLine(name, line, absolute));
    else inboundLines.push(inboundLine(name, line, absolute));
  }
  const { tct, demo, security } = document;
  return {
    file: resolve(file),
    read,
    node: workerCode() ?? document.cluster?.node,
    nodePatience: {
      silenceMilliseconds: (document.cluster?.silenceSeconds ?? NODE_SILENCE_SECONDS) * 1_000,
      answerMilliseconds: (document.cluster?.answerSeconds ?? NODE_ANSWER_SECONDS) * 1_000,
    },
    internalLine: internalLineOf(document.cluster, absolute),
    workerFolder: workerFolder(),
    data: absolute(document.data),
    tct: {
      crypts: Object.entries(tct)
        .filter(([keyword]) => keyword !== 'DEFUTF8')
        .map(([keyword, tuple]) =>
          soundValue(readCryptDefinition(soundValue(readCryptKeyword(keyword, tuple)).members)),
        ),
      defaultCodePage: codePage,
    },
    directories: new Map(Object.entries(document.directories).map(([name, folder]) => [name, absolute(folder)])),
    scenarios: optional(document.scenarios),
    servicesFolder: optional(document.services),
    services,
    pools: Object.entries(document.pools).map(([name, pool]) => poolOf(name, pool, passwords)),
    printers: new Map(Object.entries(document.printers).map(([name, printer]) => [name, printerOf(printer, absolute)])),
    macros: optional(document.macros),
    macrosAutoRefresh: document.macrosAutoRefresh,
    macroPublishers: document.macroPublishers,
    hosts: new Map(Object.entries(document.hosts).map(([name, host]) => [name, hostOf(host, absolute)])),
    inboundLines,
    outboundLines,
    entryPoints: Object.entries(document.entryPoints).map(([name, entryPoint]) => entryPointOf(name, entryPoint)),
    management: document.management && {
      ...soundValue(readListenAddress(document.management.listen)),
      stopDelaySeconds: document.management.stopDelaySeconds,
    },
    processes: document.processes === 'auto' ? Math.min(availableParallelism(), MOST_PROCESSES) : document.processes,
    drainMinutes: document.drainMinutes,
    workerStartSeconds: document.workerStartSeconds,
    workerSilenceSeconds: document.workerSilenceSeconds,
    demo: {
      currencyService:
        demo.currencyService === undefined ? undefined : soundValue(readServiceAddress(demo.currencyService)),
    },
    sessions: document.sessions,
    scenarioLimits: document.scenarioLimits,
    log: document.log,
    security: securityOf(security, absolute),
    audit: document.audit,
    ...(document.store === undefined ? {} : { store: storeOf(document.store, absolute) }),
  };
}

type Absolute = (path: string) => string;

function securityOf({ ldap, ...security }: SecuritySettings, absolute: Absolute): SecuritySettings {
  const database = absolute(security.database);
  if (ldap === undefined) return { ...security, database };
  const { ca, bindPasswordFile, ...others } = ldap;
  const files = {
    ...(ca === undefined ? {} : { ca: absolute(ca) }),
    ...(bindPasswordFile === undefined ? {} : { bindPasswordFile: absolute(bindPasswordFile) }),
  };
  return { ...security, database, ldap: { ...others, ...files } };
}

function internalLineOf(cluster: ClusterDocument | undefined, absolute: Absolute): Configuration['internalLine'] {
  if (cluster?.listen === undefined || cluster.tls === undefined) return undefined;
  const { cert, key, ca, name } = cluster.tls;
  return {
    ...soundValue(readListenAddress(cluster.listen)),
    address: cluster.address === undefined ? undefined : soundValue(readServiceAddress(cluster.address)),
    tls: { cert: absolute(cert), key: absolute(key), ca: absolute(ca), name },
  };
}

function storeOf({ ca, password, ...others }: StoreDocument, absolute: Absolute): StoreDocument {
  const { file, env } = password ?? {};
  return {
    ...others,
    ...(ca === undefined ? {} : { ca: absolute(ca) }),
    ...(file === undefined ? {} : { password: { file: absolute(file) } }),
    ...(env === undefined ? {} : { password: { env } }),
  };
}

function poolOf(
  name: string,
  { checkoutSeconds, waitSeconds, idleMinutes, keepAliveSeconds, signOff, ...pool }: PoolDocument,
  passwords: PoolPasswords,
): PoolDefinition {
  return {
    ...pool,
    name,
    signOff,
    users: pool.users.map(({ user }, at) => ({ user, password: soundPassword(passwords, name, at) })),
    returnHome: pool.returnHome.map((key) => attentionKeyNamed(key) ?? key),
    checkoutMilliseconds: checkoutSeconds * 1_000,
    waitMilliseconds: waitSeconds * 1_000,
    idleMilliseconds: idleMinutes * 60_000,
    keepAliveMilliseconds: keepAliveSeconds === 0 ? undefined : keepAliveSeconds * 1_000,
  };
}

function printerOf({ form, output, spool, ...printer }: PrinterDocument, absolute: Absolute): PrinterDocument {
  const { font, ...paper } = form;
  return {
    ...printer,
    form: font === undefined ? paper : { ...paper, font: absolute(font) },
    ...(output === undefined ? {} : { output: { ...output, folder: absolute(output.folder) } }),
    spool: spool.folder === undefined ? spool : { ...spool, folder: absolute(spool.folder) },
  };
}

function soundPassword(passwords: PoolPasswords, pool: string, user: number): Uint8Array {
  const password = passwords.get(passwordKey(pool, user));
  if (password === undefined) throw new Error(`pool ${pool}: no password of user ${user}`);
  return password;
}

/** Paths of PEM files become absolute. */
function hostOf<Host extends SimulatedHostDocument | RemoteHostDocument>(host: Host, absolute: Absolute): Host {
  if (host.simulated || typeof host.tls !== 'object') return host;
  const { ca, cert, key, verify, ciphers } = host.tls;
  return { ...host, tls: { verify, ...outboundTls({ ca, cert, key, ciphers }, absolute) } };
}

function inboundLine(
  key: string,
  { listen, name = key, tls, hostNames, portal, ...line }: InboundLineDocument,
  absolute: Absolute,
): InboundLineDefinition {
  const { host, port } = soundValue(readListenAddress(listen));
  return {
    ...line,
    name: key,
    externalName: name,
    host,
    port,
    portal,
    tls: tls && { ...tls, cert: absolute(tls.cert), key: absolute(tls.key) },
    hostNames: hostNames && new Set(hostNames.map((name) => name.toLowerCase())),
  };
}

function outboundLine(name: string, line: OutboundLineDocument, absolute: Absolute): OutboundLineDefinition {
  return {
    name,
    externalName: line.name ?? name,
    site: line.site === SITE_FROM_SCENARIO ? undefined : line.site,
    tls: line.tls ? outboundTls(line.tls === true ? {} : line.tls, absolute) : undefined,
    limits: line.limits,
  };
}

function outboundTls({ ca, cert, key, ciphers }: Partial<OutboundTls>, absolute: Absolute): OutboundTls {
  return { ca: ca && absolute(ca), cert: cert && absolute(cert), key: key && absolute(key), ciphers };
}

function entryPointOf(
  name: string,
  { embedding, services, serviceUsers, terminalSettings, transactions, ...entryPoint }: EntryPointDocument,
): EntryPointDefinition {
  return {
    ...entryPoint,
    name,
    services: services || undefined,
    serviceUsers: serviceUsers || undefined,
    terminalSettings: terminalSettingsOf(terminalSettings),
    embedders: embedding?.origins ?? [],
    transactions: Object.entries(transactions).map(([key, transaction]) => transactionOf(key, transaction)),
  };
}

function terminalSettingsOf(
  document: EntryPointDocument['terminalSettings'],
): EntryPointDefinition['terminalSettings'] {
  if (document === undefined) return undefined;
  const ruleOf = ({ defaults = {}, locked = [] }: TerminalSettingsRuleDocument) => ({
    defaults: readSettings(defaults).settings,
    locked,
  });
  const groups = Object.entries(document.groups ?? {}).map(([name, rule]) => [name, ruleOf(rule)] as const);
  return { ...ruleOf(document), groups: Object.fromEntries(groups) };
}

function transactionOf(
  key: string,
  { name = key, application, fileTransfer, ...transaction }: TransactionDocument,
): Transaction {
  return {
    ...transaction,
    name: key,
    externalName: name,
    application: application === NO_APPLICATION ? undefined : application,
    fileTransfer: fileTransfer && { mostBytes: fileTransfer.mebibytes << 20, groups: fileTransfer.groups },
  };
}
