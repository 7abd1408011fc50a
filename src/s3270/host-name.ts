import { type ReadOutcome, readAs, readFault } from '../read-outcome.js';

/** A host as scripts name it. */
export interface NamedHost {
  readonly host: string;
  readonly port: number;
  /** Logical units to ask for, in this order. */
  readonly deviceNames: readonly string[];
  /** TLS from the first byte (`L:`). */
  readonly tls: boolean;
  /** The certificate is verified; `Y:` leaves that out. */
  readonly verifies: boolean;
  /** TN3270E is offered; `N:` leaves it out. */
  readonly tn3270e: boolean;
  /** A certificate may be of this name (`=NAME` at the end). */
  readonly acceptedName: string | undefined;
}

const MOST_DEVICE_NAMES = 32;
/** Letters that s3270 knows before a host: A, C, L, N, P, S, B, Y and T. */
const knownPrefixes = /^[ACLNPSBYT]:/i;
/** Of them, these are carried out here. */
const carriedOut = /^[LNYCSB]:/i;
const deviceName = /^[A-Za-z0-9@#$._-]{1,32}$/;

/**
 * Reads `[PREFIX:…][LU,LU@]HOST[:PORT][=NAME]`; the host may stand in brackets, as IPv6 addresses must (reference 10.5).
 * @returns what is wrong, where something is
 */
export function readHostName(written: string, defaultPort: number): ReadOutcome<NamedHost> {
  let rest = written.trim();
  const prefixes = new Set<string>();
  while (knownPrefixes.test(rest)) {
    if (!carriedOut.test(rest)) return readFault(`The prefix ${rest.slice(0, 2)} is not supported here`);
    prefixes.add(rest.charAt(0).toUpperCase());
    rest = rest.slice(2);
  }
  const at = rest.lastIndexOf('@');
  const deviceNames = at < 0 ? [] : rest.slice(0, at).split(',');
  if (deviceNames.length > MOST_DEVICE_NAMES || deviceNames.some((name) => !deviceName.test(name))) {
    return readFault(`Logical units before @: up to ${MOST_DEVICE_NAMES} names`);
  }
  const [address = '', acceptedName] = rest.slice(at + 1).split('=', 2);
  const place = addressOf(address, defaultPort);
  if (place === undefined) return readFault(`No host: '${written}'`);
  return readAs({
    ...place,
    deviceNames,
    tls: prefixes.has('L'),
    verifies: !prefixes.has('Y'),
    tn3270e: !prefixes.has('N'),
    acceptedName: acceptedName === '' ? undefined : acceptedName,
  });
}

function addressOf(address: string, defaultPort: number): Pick<NamedHost, 'host' | 'port'> | undefined {
  const bracketed = /^\[([^\]]+)\](?:[: ](\d{1,5}))?$/.exec(address);
  const plain = /^([^\s:[\]]+)(?:[: ](\d{1,5}))?$/.exec(address);
  // more colons than one: an IPv6 address without a port
  const bare = /^[0-9A-Fa-f:.%\w]*:[^\s]*:[^\s]*$/.exec(address);
  const [, host, portText] = bracketed ?? plain ?? (bare === null ? [] : [bare[0], bare[0]]);
  const port = Number(portText ?? defaultPort);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return { host, port };
}
