import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';

export interface NamedHost {
  readonly host: string;
  readonly port: number;
  readonly deviceNames: readonly string[];
  /** TLS from the first byte (`L:`). */
  readonly tls: boolean;
  /** Verify the certificate; false for `Y:`. */
  readonly verifies: boolean;
  /** Offer TN3270E; false for `N:`. */
  readonly tn3270e: boolean;
  /** Do not offer 3270 (`A:`). */
  readonly isLineTerminal: boolean;
  /** Use TELNET; false for `T:`, which transfers plain text. */
  readonly speaksTelnet: boolean;
  /** Terminal with extended attributes; false for `S:`. */
  readonly isExtended: boolean;
  /** Connect through the gateway of the site (`P:`). */
  readonly throughGateway: boolean;
  /** Name accepted in the certificate (`=NAME` at the end). */
  readonly acceptedName: string | undefined;
  readonly user: string | undefined;
  readonly waitsForOutput: boolean;
  /** Local program to use instead of a host, with its arguments (`-e`). */
  readonly program?: readonly string[];
}

export const hostPrefixes = 'ACLNPSBYT';
const MOST_DEVICE_NAMES = 32;
const prefix = new RegExp(`^[${hostPrefixes}]:`, 'i');
const deviceName = /^[A-Za-z0-9@#$._-]{1,32}$/;
const uri = /^(tn3270s?|telnets?):\/\//i;

/**
 * Reads `[PREFIX:…][LU,LU@]HOST[:PORT][=NAME]` or a URI (reference 10.5). The host may be in brackets; IPv6 addresses
 * must be. Faults have the wording of s3270 4.1.
 */
export function readHostName(written: string, defaultPort: number): ReadOutcome<NamedHost> {
  const text = written.trim();
  if (text === '') return readFault('Invalid (empty) hostname');
  return uri.test(text) ? readUri(text) : readPlain(text, defaultPort);
}

export function hostOfProgram(program: readonly string[]): NamedHost {
  return {
    host: program.join(' '),
    port: 0,
    deviceNames: [],
    tls: false,
    verifies: false,
    tn3270e: false,
    isLineTerminal: false,
    speaksTelnet: false,
    isExtended: true,
    throughGateway: false,
    acceptedName: undefined,
    user: undefined,
    waitsForOutput: true,
    program,
  };
}

function readPlain(text: string, defaultPort: number): ReadOutcome<NamedHost> {
  const wrong = (what: string) => readFault(`Hostname syntax error in '${text}': ${what}`);
  const prefixes = new Set<string>();
  const withoutPrefixes = (part: string) => {
    let rest = part;
    for (; prefix.test(rest); rest = rest.slice(2)) prefixes.add(rest.charAt(0).toUpperCase());
    return rest;
  };
  const rest = withoutPrefixes(text);
  if (/\s/.test(rest)) return wrong('contains whitespace');
  const at = rest.lastIndexOf('@');
  if (at !== rest.indexOf('@')) return wrong("double '@'");
  if (at > 0 && rest.slice(0, at).includes(':')) return wrong("'@' after ':'");
  if (at === 0) return wrong('empty LU name');
  const deviceNames = rest
    .slice(0, Math.max(0, at))
    .split(',')
    .filter((name) => name !== '');
  if (!areDeviceNames(deviceNames)) return wrong(`up to ${MOST_DEVICE_NAMES} LU names`);
  const [address = '', acceptedName] = withoutPrefixes(rest.slice(at + 1)).split('=', 2);
  if (acceptedName === '' || (acceptedName !== undefined && address === '')) return wrong('empty accept name');
  const [, bracketed, plain, portText] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) {
    if (/^\[[^\]]*$/.test(address)) return wrong("missing ']'");
    return wrong(/^\[[^\]]*\][^:]/.test(address) ? "text following ']'" : "double ':'");
  }
  if (portText?.includes(':')) return wrong(host === '' ? 'empty hostname' : "double ':'");
  if (host === '') return wrong('empty hostname');
  if (portText === '') return wrong('empty port');
  const port = portText === undefined ? defaultPort : Number(portText);
  if (!(port >= 1 && port <= 65_535)) return readFault(`Invalid port '${portText}'`);
  const isLineTerminal = prefixes.has('A');
  return readAs({
    host,
    port,
    deviceNames,
    tls: prefixes.has('L'),
    verifies: !prefixes.has('Y'),
    tn3270e: !prefixes.has('N') && !isLineTerminal,
    isLineTerminal,
    speaksTelnet: !prefixes.has('T'),
    isExtended: !prefixes.has('S'),
    throughGateway: prefixes.has('P'),
    acceptedName,
    user: undefined,
    waitsForOutput: !prefixes.has('C'),
  });
}

function areDeviceNames(names: readonly string[]): boolean {
  return names.length <= MOST_DEVICE_NAMES && names.every((name) => deviceName.test(name));
}

/** `tn3270s://[LU,LU@]HOST[:PORT][/][?lu=…&acceptname=…&verifycert=false&waitoutput=false]`, `telnet://[USER@]HOST…` */
function readUri(text: string): ReadOutcome<NamedHost> {
  const wrong = (what: string) => readFault(`Invalid URI '${text}': ${what}`);
  const [, scheme = '', user, bracketed, plain, portText, path, query = ''] =
    /^(\w+):\/\/(?:([^@/?]*)@)?(?:\[([^\]\s]*)\]|([^:/?[\]@\s]*))(?::(\d{1,5}))?(\/[^?]*)?(?:\?(.*))?$/.exec(text) ??
    [];
  const host = bracketed ?? plain;
  if (host === undefined || host === '') return wrong('no host');
  if (path !== undefined && path !== '/') return wrong('a path behind the host');
  const parameters = new URLSearchParams(query);
  const known = ['lu', 'acceptname', 'verifycert', 'waitoutput'];
  const unknown = [...parameters.keys()].find((name) => !known.includes(name.toLowerCase()));
  if (unknown !== undefined) return wrong(`unknown parameter '${unknown}'`);
  const isLineTerminal = /^telnet/i.test(scheme);
  const tls = /s$/i.test(scheme);
  const port = Number(portText ?? (tls ? '992' : '23'));
  if (port < 1 || port > 65_535) return wrong('no such port');
  let name: string;
  try {
    name = decodeURIComponent(user ?? '');
  } catch {
    return wrong('a percent sign without two digits');
  }
  const units = parameters.get('lu') ?? (isLineTerminal ? '' : name);
  const deviceNames = units === '' ? [] : units.split(',');
  if (!areDeviceNames(deviceNames)) return wrong('LU names');
  return readAs({
    host,
    port,
    deviceNames,
    tls,
    verifies: parameters.get('verifycert') !== 'false',
    tn3270e: !isLineTerminal,
    isLineTerminal,
    speaksTelnet: true,
    isExtended: true,
    throughGateway: false,
    acceptedName: parameters.get('acceptname') ?? undefined,
    user: isLineTerminal && name !== '' ? name : undefined,
    waitsForOutput: parameters.get('waitoutput') !== 'false',
  });
}
