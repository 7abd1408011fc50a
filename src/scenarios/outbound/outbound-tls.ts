import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { tlsCiphers } from '../../lib/network/tls-ciphers.js';
import type { OutboundLineDefinition, OutboundTls, ReadPem } from './outbound-line-definition.js';

/**
 * How the connections of a line are opened. Certificates and keys are read here, once.
 * The host name that a certificate must carry, and that is sent as server name, is that of the site.
 *
 * @throws Error if a file cannot be read or is not a certificate or key; the message names line and key
 */
export function connectorOfLine(
  { name, tls, limits }: OutboundLineDefinition,
  readPem: ReadPem,
): buildConnector.connector {
  const timeout = limits.connectSeconds * 1000;
  if (tls === undefined) return buildConnector({ timeout });
  return buildConnector({ timeout, secureContext: secureContextOf(name, tls, readPem), rejectUnauthorized: true });
}

function secureContextOf(line: string, tls: OutboundTls, readPem: ReadPem): SecureContext {
  const read = (key: 'ca' | 'cert' | 'key'): string | undefined => {
    const path = tls[key];
    try {
      return path === undefined ? undefined : readPem(path).toString();
    } catch (cause) {
      throw new Error(`line ${line}: tls.${key}: cannot read ${path}`, { cause });
    }
  };
  const ca = read('ca');
  const cert = read('cert');
  const key = read('key');
  try {
    return createSecureContext({
      ciphers: tlsCiphers(tls.ciphers),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
  } catch (cause) {
    throw new Error(`line ${line}: tls: not a usable certificate or key`, { cause });
  }
}
