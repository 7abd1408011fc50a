import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext, rootCertificates } from 'node:tls';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';

export interface LdapServer {
  readonly url: string;
  readonly place: string;
  readonly security: 'ldaps' | 'startTls' | 'none';
  readonly tls: ConnectionOptions;
  readonly connectMilliseconds: number;
  readonly timeoutMilliseconds: number;
}

/** @throws Error with the key if the URL or a certificate is not usable */
export function ldapServerOf(definition: LdapDefinition): LdapServer {
  const { startTls, connectMilliseconds, timeoutMilliseconds } = definition;
  const { protocol, host, hostname } = parseUrl(definition.url);
  if (startTls && protocol === 'ldaps:') throw new Error('startTls: ldaps: is TLS from the beginning');
  const withTls = startTls ? 'startTls' : 'none';
  return {
    url: `${protocol}//${host}`,
    place: `${protocol}//${host}`,
    security: protocol === 'ldaps:' ? 'ldaps' : withTls,
    tls: tlsOptionsOf(definition, hostname.replace(/^\[|\]$/g, '')),
    connectMilliseconds,
    timeoutMilliseconds,
  };
}

function parseUrl(text: string): URL {
  // The message omits the URL, which could contain a password.
  if (!URL.canParse(text)) throw new Error('url: not a URL');
  const url = new URL(text);
  if (!/^ldaps?:$/.test(url.protocol)) throw new Error('url: begins with neither ldap: nor ldaps:');
  const isBare = /^\/?$/.test(url.pathname) && !url.search && !url.hash && !url.username && !url.password;
  if (url.hostname === '' || !isBare) throw new Error('url: is a host, and a port where it needs one, and no more');
  return url;
}

function tlsOptionsOf({ ca, verify }: LdapDefinition, host: string): ConnectionOptions {
  return {
    secureContext: createSecureContext({
      ciphers: TLS_CIPHERS,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, checkedCertificates(ca)] }),
    }),
    rejectUnauthorized: verify,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
}

/** Node.js accepts any text for a TLS context and then trusts no certificate. */
function checkedCertificates(text: string): string {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) throw new Error('ca: has no certificate in PEM form');
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw new Error('ca: has a certificate that cannot be read', { cause });
    }
  }
  return text;
}

export interface LdapDefinition {
  /** `ldap://host:port` or `ldaps://host:port`. Default ports: 389 and 636. */
  readonly url: string;
  /** Start TLS on an `ldap:` connection before any other request. */
  readonly startTls: boolean;
  /** PEM certificates, trusted in addition to the well-known ones. */
  readonly ca: string | undefined;
  /** Require a server certificate that is valid for the host in the URL. */
  readonly verify: boolean;
  /** Account for searches. If both are undefined, searches are anonymous. */
  readonly bindDn: string | undefined;
  readonly bindPassword: string | undefined;
  /** Entry with an unknown password, bound for sign-ons with unknown names. */
  readonly decoyDn?: string | undefined;
  readonly userBase: string;
  readonly userFilter: string;
  readonly userNameAttribute: string;
  readonly groupBase: string;
  /** Contains `{dn}` (the member's entry), `{user}` (the member's name), or both. */
  readonly groupFilter: string;
  readonly groupNameAttribute: string;
  /** User attribute with the name or DN of the default group. It does not make the user a member. */
  readonly defaultGroupAttribute: string | undefined;
  readonly administratorGroup: string | undefined;
  readonly operatorGroup: string | undefined;
  /** Limit for connecting, and for the TLS handshake. */
  readonly connectMilliseconds: number;
  readonly timeoutMilliseconds: number;
  readonly mostConnections: number;
}

export const ldapDefaults = {
  userFilter: '(uid={user})',
  userNameAttribute: 'uid',
  groupFilter: '(|(member={dn})(uniqueMember={dn})(memberUid={user}))',
  groupNameAttribute: 'cn',
} as const satisfies Partial<LdapDefinition>;
