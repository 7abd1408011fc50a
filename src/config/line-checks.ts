import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/source-diagnostic.js';
import { cipherStringFault } from '../lib/network/tls-ciphers.js';
import type { ReadOutcome } from '../lib/read-outcome.js';
import { readNetwork } from '../lines/listener/trusted-proxies.js';
import type { InboundLineDocument } from './configuration-document.js';
import { type NetworkAddress, readListenAddress, readServiceAddress } from './network-address.js';
import { nameFault, type SoundPart } from './sound-part.js';

/** Site of an outbound line whose scenario names the service (reference 4.4). */
export const SITE_FROM_SCENARIO = '$SITE$';

export function* checkLines({ document, names }: SoundPart): Generator<DocumentFault> {
  const listeners = new Listeners();
  for (const [name, line] of Object.entries(document.lines)) {
    const path = ['lines', name];
    yield* checkCiphers([...path, 'tls', 'ciphers'], line.tls);
    if (line.outbound) {
      if (line.site === SITE_FROM_SCENARIO) continue;
      if (line.site.startsWith('$')) {
        yield errorAt([...path, 'site'], `expected ${SITE_FROM_SCENARIO} or host:port, found "${line.site}"`);
      } else yield* checkAddress([...path, 'site'], readServiceAddress(line.site));
      continue;
    }
    yield* listeners.add([...path, 'listen'], readListenAddress(line.listen));
    if (!names.entryPoints.includes(line.entryPoint)) {
      const entryPointPath = [...path, 'entryPoint'];
      yield nameFault(entryPointPath, 'an entry point of this file', line.entryPoint, names.entryPoints, names);
    }
    yield* checkProxies(['lines', name], line);
    const { headerSeconds, requestSeconds } = line.limits;
    if (requestSeconds < headerSeconds) {
      const expectation = `expected no less than headerSeconds (${headerSeconds}), found ${requestSeconds}`;
      yield errorAt([...path, 'limits', 'requestSeconds'], expectation);
    }
  }
  for (const [name, host] of Object.entries(document.hosts)) {
    const path = ['hosts', name];
    if (!host.simulated) yield* checkAddress([...path, 'address'], readServiceAddress(host.address));
    else if (host.listen !== undefined) yield* listeners.add([...path, 'listen'], readListenAddress(host.listen));
  }
  if (document.management !== undefined) {
    yield* listeners.add(['management', 'listen'], readListenAddress(document.management.listen));
  }
  const { currencyService } = document.demo;
  if (currencyService !== undefined) {
    yield* listeners.add(['demo', 'currencyService'], readServiceAddress(currencyService));
  }
}

function* checkProxies(path: KeyPath, { trustedProxies, answers, tls }: InboundLineDocument): Generator<DocumentFault> {
  for (const [at, text] of trustedProxies.entries()) {
    const read = readNetwork(text);
    if (read.kind === 'fault') {
      yield errorAt([...path, 'trustedProxies', String(at)], `expected ${read.fault}, found "${text}"`);
    } else if (read.value.prefix === 0) {
      const expectation = 'expected the networks of proxies: with all addresses, any client could claim any address';
      yield errorAt([...path, 'trustedProxies', String(at)], expectation);
    }
  }
  if (answers.hstsSeconds !== undefined && (tls !== undefined || trustedProxies.length === 0)) {
    const expectation = 'expected trustedProxies that end TLS; for a line with its own TLS, set tls.hstsSeconds';
    yield errorAt([...path, 'answers', 'hstsSeconds'], expectation);
  }
  for (const name of Object.keys(answers.headers)) {
    if (ownHeaders.has(name.toLowerCase())) {
      yield errorAt([...path, 'answers', 'headers', name], 'expected a header that the server does not set itself');
    }
  }
}

/** Headers that the server sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'te', 'upgrade', 'content-length', 'content-type'],
  ...[
    'content-encoding',
    'content-range',
    'date',
    'server',
    'location',
    'set-cookie',
    'www-authenticate',
    'allow',
    'etag',
  ],
  ...['last-modified', 'expires', 'cache-control', 'vary', 'retry-after', 'strict-transport-security', 'x-request-id'],
  ...['x-content-type-options', 'content-disposition', 'accept-ranges'],
]);

function* checkAddress(path: KeyPath, read: ReadOutcome<NetworkAddress>): Generator<DocumentFault> {
  if (read.kind === 'fault') yield errorAt(path, read.fault);
}

class Listeners {
  readonly #byPort = new Map<number, { host: string | undefined; path: KeyPath }[]>();

  *add(path: KeyPath, read: ReadOutcome<NetworkAddress>): Generator<DocumentFault> {
    if (read.kind === 'fault') {
      yield errorAt(path, read.fault);
      return;
    }
    const address = read.value;
    if (address.port === 0) return;
    const host = address.host?.toLowerCase();
    const others = this.#byPort.get(address.port) ?? [];
    const other = others.find((one) => one.host === host || one.host === undefined || host === undefined);
    if (other) {
      yield errorAt(
        path,
        `expected an unused address, found port ${address.port}, on which ${other.path.join('.')} listens`,
      );
    }
    this.#byPort.set(address.port, [...others, { host, path }]);
  }
}

export function* checkCiphers(
  path: KeyPath,
  tls: boolean | { readonly ciphers?: string } | undefined,
): Generator<DocumentFault> {
  if (typeof tls !== 'object' || tls.ciphers === undefined) return;
  const fault = cipherStringFault(tls.ciphers);
  if (fault !== undefined) yield errorAt(path, fault);
}
