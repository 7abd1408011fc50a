import { type DocumentFault, errorAt, type KeyPath } from '../document/document-fault.js';
import { didYouMean } from '../nearest-name.js';
import type { ReadOutcome } from '../read-outcome.js';
import { type NetworkAddress, readListenAddress, readServiceAddress } from './network-address.js';
import type { SoundPart } from './sound-part.js';

/** Site of an outbound line whose scenario names the service (reference 4.4). */
export const SITE_FROM_SCENARIO = '$SITE$';

/** Addresses, references and time limits of lines, and the addresses of what else listens or is called. */
export function* checkLines({ document, names }: SoundPart): Generator<DocumentFault> {
  const listeners = new Listeners();
  for (const [name, line] of Object.entries(document.lines)) {
    const path = ['lines', name];
    if (line.outbound) {
      if (line.site === SITE_FROM_SCENARIO) continue;
      if (line.site.startsWith('$')) {
        yield errorAt([...path, 'site'], `expected ${SITE_FROM_SCENARIO} or host:port, found "${line.site}"`);
      } else yield* checkAddress([...path, 'site'], readServiceAddress(line.site));
      continue;
    }
    yield* listeners.add([...path, 'listen'], readListenAddress(line.listen));
    if (!names.entryPoints.includes(line.entryPoint)) {
      const guess = didYouMean(line.entryPoint, names.entryPoints);
      yield errorAt(
        [...path, 'entryPoint'],
        `expected an entry point of this file, found "${line.entryPoint}"${guess}`,
      );
    }
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
  const { currencyService } = document.demo;
  if (currencyService !== undefined) {
    yield* listeners.add(['demo', 'currencyService'], readServiceAddress(currencyService));
  }
}

function* checkAddress(path: KeyPath, read: ReadOutcome<NetworkAddress>): Generator<DocumentFault> {
  if (read.kind === 'fault') yield errorAt(path, read.fault);
}

/** Finds two listeners on one address and port. */
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
        `expected an address of its own, found port ${address.port}, on which ${other.path.join('.')} listens`,
      );
    }
    this.#byPort.set(address.port, [...others, { host, path }]);
  }
}
