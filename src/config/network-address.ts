import { isIPv4, isIPv6 } from 'node:net';
import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';

export interface NetworkAddress {
  /** Host name, IPv4 address or IPv6 address without brackets; undefined for all addresses of the machine. */
  readonly host: string | undefined;
  readonly port: number;
}

/** Labels of RFC 1123, with underscores allowed, at most 253 characters. */
const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\.?$/;
const ADDRESS = /^(\[[^[\]]*\]|[^:[\]]*):(\d{1,5})$/;
const HIGHEST_PORT = 65535;

/**
 * Reads the address of a listener: `host:port`, `ip:port`, `[ipv6]:port`, `:port` and `0:port` (all addresses). Port 0
 * is any free port.
 */
export function readListenAddress(text: string): ReadOutcome<NetworkAddress> {
  const [, host = '', digits = ''] = ADDRESS.exec(text) ?? [];
  if (digits === '') return readFault(formExpected(text, 'host:port, ip:port, [ipv6]:port or :port'));
  if (Number(digits) > HIGHEST_PORT) return readFault(`expected a port from 0 to ${HIGHEST_PORT}, found ${digits}`);
  if (host === '' || host === '0') return readAs({ host: undefined, port: Number(digits) });
  return withHost(host, Number(digits));
}

/** Reads the address of a service or host: `host:port`, `ip:port` or `[ipv6]:port`. The port has no default. */
export function readServiceAddress(text: string): ReadOutcome<NetworkAddress & { readonly host: string }> {
  const [, host = '', digits = ''] = ADDRESS.exec(text) ?? [];
  if (digits === '' || host === '') return readFault(formExpected(text, 'host:port, ip:port or [ipv6]:port'));
  const port = Number(digits);
  if (port < 1 || port > HIGHEST_PORT) return readFault(`expected a port from 1 to ${HIGHEST_PORT}, found ${digits}`);
  return withHost(host, port);
}

function formExpected(text: string, forms: string): string {
  return `expected ${forms}, found "${text.slice(0, 80)}"${/^[^[]*:[^[]*:/.test(text) ? ' (write an IPv6 address in brackets)' : ''}`;
}

function withHost(host: string, port: number): ReadOutcome<{ host: string; port: number }> {
  if (host.startsWith('[')) {
    const address = host.slice(1, -1);
    return isIPv6(address)
      ? readAs({ host: address, port })
      : readFault(`expected an IPv6 address in the brackets, found "${address}"`);
  }
  const looksNumeric = /^[\d.]+$/.test(host);
  if (looksNumeric ? isIPv4(host) : HOST_NAME.test(host)) return readAs({ host, port });
  return readFault(
    `expected ${looksNumeric ? 'an IPv4 address' : 'a host name'} before the port, found "${host.slice(0, 80)}"`,
  );
}
