import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext, rootCertificates } from 'node:tls';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';

/** Where a directory server is, and how connections with it are opened and given up. */
export interface LdapServer {
  readonly url: string;
  /** For the log. */
  readonly place: string;
  readonly security: 'ldaps' | 'startTls' | 'none';
  readonly tls: ConnectionOptions;
  readonly connectMilliseconds: number;
  readonly timeoutMilliseconds: number;
}

/** @throws Error where the url or a certificate is not usable; the message names the key */
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
  // not in the messages: a password could stand in it
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

/** A TLS context takes any text and trusts nobody for it. */
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

/** A directory server (RFC 4511), and how its entries are users and groups. */
export interface LdapDefinition {
  /** `ldap://host:port` or `ldaps://host:port`; without a port 389 and 636. */
  readonly url: string;
  /** Whether a connection of `ldap:` turns to TLS before anything else is said. */
  readonly startTls: boolean;
  /** Certificates in PEM form that are trusted besides the well-known ones. */
  readonly ca: string | undefined;
  /** Whether the server has to prove by its certificate that it is the host of the url. */
  readonly verify: boolean;
  /** Who searches; both undefined: anonymous. */
  readonly bindDn: string | undefined;
  readonly bindPassword: string | undefined;
  /** An entry whose password nobody knows: sign-ons of names that the directory does not have are tried with it. */
  readonly decoyDn?: string | undefined;
  readonly userBase: string;
  /** With `{user}` where the name goes. */
  readonly userFilter: string;
  readonly userNameAttribute: string;
  readonly groupBase: string;
  /** With `{dn}` for the entry of a member, or `{user}` for its name, or both. */
  readonly groupFilter: string;
  readonly groupNameAttribute: string;
  /** An attribute of users with the name or the DN of their default group; it makes nobody a member. */
  readonly defaultGroupAttribute: string | undefined;
  /** Members are administrators. */
  readonly administratorGroup: string | undefined;
  /** Members are operators. */
  readonly operatorGroup: string | undefined;
  /** For a connection, and for its TLS. */
  readonly connectMilliseconds: number;
  /** For each answer of the server. */
  readonly timeoutMilliseconds: number;
  readonly mostConnections: number;
}

/** What a definition says where the configuration does not. */
export const ldapDefaults = {
  userFilter: '(uid={user})',
  userNameAttribute: 'uid',
  groupFilter: '(|(member={dn})(uniqueMember={dn})(memberUid={user}))',
  groupNameAttribute: 'cn',
} as const satisfies Partial<LdapDefinition>;
