import { join } from 'node:path';
import { findCodePage } from '../codepage/code-pages.js';
import { registerCodePages } from '../codepage/iconv-registration.js';
import type { Configuration } from '../config/configuration.js';
import { installationFolder, installedVersion } from '../config/installation.js';
import { readListenAddress } from '../config/network-address.js';
import { readPemFile } from '../config/read-pem-file.js';
import { logFieldEncryption } from '../crypto/field-encryption-log.js';
import { DemoCurrencyService } from '../demo-currency-service/demo-currency-service.js';
import { EntryPoint } from '../entry-point/entry-point.js';
import { InboundLine } from '../line/inbound-line.js';
import type { InboundLineDefinition } from '../line/line-definition.js';
import { LogThrottle } from '../line/log-throttle.js';
import type { Log } from '../log.js';
import { OutboundLines } from '../outbound/outbound-line.js';
import { fileRenderer } from '../scenario/file-rendering.js';
import { ModuleStore } from '../scenario/module-store.js';
import { ScenarioService } from '../scenario/scenario-service.js';
import { addressGroupOf } from '../session/address-group.js';
import { type SessionHost, SessionService } from '../session/session-service.js';
import { SimulatedHost } from '../simulated-host/simulated-host.js';
import type { FoundSoon } from '../template/found-file.js';
import { TemplateStore } from '../template/template-store.js';
import { createClientApp } from '../web/client-app.js';
import type { ClientSite, LineAddress } from '../web/http/client-site.js';
import { refusalsOf } from '../web/http/error-response.js';
import { lineHeaders } from '../web/http/line-headers.js';
import { clientAddress } from '../web/http/request-names.js';
import { SocketUpgrade } from '../web/terminal/socket-upgrade.js';
import { remoteSessionHost, simulatedSessionHost } from './session-hosts.js';
import { SimulatedHostPort } from './simulated-host-port.js';
import { startSecurity } from './start-security.js';

export interface Listener {
  readonly name: string;
  readonly url: string;
  readonly purpose: string;
}

export interface RunningServer {
  readonly listeners: readonly Listener[];
  /** Lines whose port another program has; they go on trying. */
  readonly linesWithoutPort: readonly InboundLineDefinition[];
  /** Stops accepting, finishes the requests in flight (5 s at most), closes everything. */
  stop(): Promise<void>;
}

const STOP_GRACE_MILLISECONDS = 5_000;
const TROUBLE_INTERVAL_MILLISECONDS = 1_000;
const WAITS_FOR_PORT = ' (the port is taken: goes on trying)';
const EMPTYING_MILLISECONDS = 500;

/**
 * Starts everything that a configuration names. Rejects where something of it cannot work at all; what was started by
 * then is stopped. A line whose port is taken does not hinder the others: it goes on trying.
 */
export async function startServer(configuration: Configuration, log: Log): Promise<RunningServer> {
  registerCodePages();
  const parts = new Parts();
  try {
    const started = await startParts(configuration, log, parts);
    return { ...started, stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

/** What was started, to be stopped in the opposite order. */
class Parts {
  readonly #stops: (() => void | Promise<void>)[] = [];

  add(stop: () => void | Promise<void>): void {
    this.#stops.push(stop);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}

async function startParts(configuration: Configuration, log: Log, parts: Parts): Promise<Omit<RunningServer, 'stop'>> {
  const stores = await openStores(configuration, log, parts);
  const findPage = (directory: string, name: string) => {
    const store = stores.get(directory);
    const known = store?.peek(name);
    return known === undefined ? store?.find(name) : known.entry;
  };
  const scenarios = await startScenarios(configuration, log, parts, findPage);
  const hosts = await startHosts(configuration, log, parts);
  const demo = await startDemo(configuration, log, parts);
  const listeners = [...(demo === undefined ? [] : [demo]), ...hosts.listeners];
  const sessions = startSessions(configuration, log, hosts.sessionHosts);
  const security = await startSecurity(configuration, log);
  parts.add(() => security.stop());
  const findShippedPage = await openShippedPages(log, parts);
  const entryPoints = new Map(
    configuration.entryPoints.map((definition) => [definition.name, new EntryPoint(definition)]),
  );
  const version = installedVersion();
  const upgrades: SocketUpgrade[] = [];
  const lines: InboundLine[] = configuration.inboundLines.map((definition) => {
    const entryPoint = entryPoints.get(definition.entryPoint);
    if (entryPoint === undefined) throw new Error(`line ${definition.name}: no entry point ${definition.entryPoint}`);
    const site: ClientSite = {
      line: definition,
      entryPoint,
      version,
      demoCurrencyService: demo && reachableSite(demo.url),
      addressOfLine: (name) => addressOfLine(lines, name),
      log,
      findPage,
      findShippedPage,
      runScenario: async ({ initialScenario }, request, signal) =>
        (await scenarios.run(initialScenario, 'INITIAL', request, signal)).outcome,
      defaultCodePage: configuration.tct.defaultCodePage,
      sessions,
      ...security.partsOf(definition),
    };
    const completeHeaders = lineHeaders({ version, hstsSeconds: definition.tls?.hstsSeconds });
    const upgrade = new SocketUpgrade(site, completeHeaders);
    upgrades.push(upgrade);
    return new InboundLine(definition, createClientApp(site, completeHeaders), log, refusalsOf(completeHeaders), {
      readPem: readPemFile,
      upgrade: upgrade.listener,
      clientOf: (remoteAddress) => addressGroupOf(clientAddress(remoteAddress) ?? ''),
    });
  });
  parts.add(async () => {
    // sessions tell their pages that they end: lines wait for nothing else of theirs
    const sessionsOver = sessions.stop().then(() => {
      for (const upgrade of upgrades) upgrade.close();
    });
    await Promise.all([
      sessionsOver,
      ...lines.map((line) => line.stop(STOP_GRACE_MILLISECONDS, EMPTYING_MILLISECONDS)),
    ]);
  });
  await Promise.all(lines.map((line) => line.start()));
  return {
    listeners: [...lines.map((line) => listenerOf(line)), ...listeners],
    linesWithoutPort: lines.filter((line) => line.waitsForPort).map(({ definition }) => definition),
  };
}

/** `host:port` of a service on this machine; one that listens at every address is reached at the loopback. */
function reachableSite(url: string): string {
  return url
    .replace('http://', '')
    .replace(/^0\.0\.0\.0(?=:)/, '127.0.0.1')
    .replace(/^\[::\](?=:)/, '[::1]');
}

/** The real port, also where the configuration leaves it open. */
function addressOfLine(lines: readonly InboundLine[], name: string): LineAddress | undefined {
  const line = lines.find(({ definition }) => definition.name === name);
  if (line === undefined) return undefined;
  const { host } = line.definition;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return { host: isEverywhere ? undefined : host, port: Number(/:(\d+)$/.exec(line.url)?.[1]) };
}

async function openStores(configuration: Configuration, log: Log, parts: Parts): Promise<Map<string, TemplateStore>> {
  const stores = new Map<string, TemplateStore>();
  for (const [name, directory] of configuration.directories) {
    const store = new TemplateStore({ directory, log });
    parts.add(() => store.close());
    await store.open();
    stores.set(name, store);
  }
  return stores;
}

/** Pages of the product, for entry points whose directory has none of that name. */
async function openShippedPages(log: Log, parts: Parts): Promise<(name: string) => FoundSoon> {
  const store = new TemplateStore({ directory: join(installationFolder, 'templates', 'portal'), log });
  parts.add(() => store.close());
  await store.open();
  return (name) => {
    const known = store.peek(name);
    return known === undefined ? store.find(name) : known.entry;
  };
}

async function startScenarios(
  { scenarios, directories, outboundLines, scenarioLimits, tct }: Configuration,
  log: Log,
  parts: Parts,
  findPage: Parameters<typeof fileRenderer>[0],
): Promise<ScenarioService> {
  const modules = new ModuleStore(scenarios, log);
  parts.add(() => modules.close());
  await modules.open();
  const outbound = new OutboundLines(outboundLines, readPemFile);
  parts.add(() => outbound.close());
  const renderFile = fileRenderer(findPage, [...directories.keys()]);
  return new ScenarioService({
    modules,
    ports: { outbound, renderFile, log },
    limits: scenarioLimits,
    codePage: tct.defaultCodePage,
  });
}

async function startDemo({ demo }: Configuration, log: Log, parts: Parts): Promise<Listener | undefined> {
  if (demo.currencyService === undefined) return undefined;
  const service = new DemoCurrencyService({ ...demo.currencyService, log });
  try {
    const { url } = await service.start();
    parts.add(() => service.stop());
    return { name: 'demo', url, purpose: 'demo currency service' };
  } catch (error) {
    const { host, port } = demo.currencyService;
    log.error(
      { reason: wordsOf(error), host, port },
      'the demo currency service did not start; everything else is served',
    );
    return undefined;
  }
}

function startSessions(
  { tct, sessions: { limit, keysReady, keysWaiting } }: Configuration,
  log: Log,
  hosts: ReadonlyMap<string, SessionHost>,
): SessionService {
  for (const definition of tct.crypts) logFieldEncryption(log, definition);
  const sessions = new SessionService({
    hosts,
    crypts: tct.crypts,
    keyPool: { ready: keysReady, waiting: keysWaiting },
    limits: { sessions: limit },
    log,
  });
  sessions.open();
  return sessions;
}

interface StartedHosts {
  readonly listeners: readonly Listener[];
  readonly sessionHosts: ReadonlyMap<string, SessionHost>;
}

/** All hosts that sessions can be had with; a port that is taken for the simulated one hinders nothing else. */
async function startHosts({ hosts }: Configuration, log: Log, parts: Parts): Promise<StartedHosts> {
  const listeners: Listener[] = [];
  const sessionHosts = new Map<string, SessionHost>();
  for (const [name, definition] of hosts) {
    if (!definition.simulated) {
      sessionHosts.set(name, remoteSessionHost(definition));
      continue;
    }
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) continue;
    const throttle = new LogThrottle(TROUBLE_INTERVAL_MILLISECONDS);
    const host = new SimulatedHost({
      codePage,
      users: definition.users,
      start: definition.start,
      faults: definition.faults,
      report: (trouble, remoteAddress) => {
        const withheld = throttle.pass(performance.now());
        if (withheld !== undefined) log.warn({ host: name, remoteAddress, withheld }, trouble);
      },
    });
    parts.add(() => host.close());
    sessionHosts.set(name, simulatedSessionHost(definition, host));
    const address = definition.listen === undefined ? undefined : readListenAddress(definition.listen);
    if (address === undefined || typeof address === 'string') continue;
    const port = new SimulatedHostPort({ name, host, address, log });
    parts.add(() => port.stop());
    await port.start();
    if (port.state === 'closed') continue;
    const waits = port.state === 'listening' ? '' : WAITS_FOR_PORT;
    listeners.push({ name, url: port.url, purpose: `simulated host${waits}` });
  }
  return { listeners, sessionHosts };
}

function listenerOf({ definition, url, state }: InboundLine): Listener {
  const waits = state === 'listening' ? '' : WAITS_FOR_PORT;
  return { name: definition.name, url, purpose: `${purposeOf(definition)}${waits}` };
}

function purposeOf({ portal, entryPoint }: InboundLineDefinition): string {
  return `${portal === 'administration' ? 'administration portal' : 'client line'}, entry point ${entryPoint}`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
