import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { readPemFile } from '../../config/read-pem-file.js';
import type { HostTlsOptions } from '../../tn3270/host/host-connection.js';
import type { NamedHost } from '../host-name.js';
import type { Toggles } from '../toggles.js';
import { systemErrorWords } from './system-error-words.js';

const versions: Readonly<Record<string, SecureVersion>> = {
  TLS1: 'TLSv1',
  'TLS1.0': 'TLSv1',
  'TLS1.1': 'TLSv1.1',
  'TLS1.2': 'TLSv1.2',
  'TLS1.3': 'TLSv1.3',
};

/** Limit of certificate authorities in a folder: twice as many as browsers include. */
const MOST_AUTHORITIES = 512;

/**
 * TLS options from the settings of a terminal. Files are read again for each connection.
 * @throws Error with the wording of s3270 if a file cannot be used
 */
export function tlsFor(toggles: Toggles, { host, verifies, acceptedName }: NamedHost, folder: string): HostTlsOptions {
  const serverName = acceptedName ?? toggles.get('acceptHostname').replace(/^(dns|ip):/i, '');
  const isAnyName = serverName.toLowerCase() === 'any';
  const authorities = authoritiesOf(toggles, folder);
  const own = ownCertificate(toggles, folder);
  const [least, most] = [toggles.get('tlsMinProtocol'), toggles.get('tlsMaxProtocol')].map(
    (name) => versions[name.toUpperCase()],
  );
  return {
    verify: verifies && toggles.isOn('verifyHostCert'),
    ...(authorities === undefined ? {} : { ca: authorities }),
    ...own,
    ...(least === undefined ? {} : { minVersion: least }),
    ...(most === undefined ? {} : { maxVersion: most }),
    ...(serverName === '' || isAnyName ? { serverName: host } : { serverName }),
    ...(isAnyName ? { acceptsAnyName: true } : {}),
  };
}

/** PEM of `caFile` and of the files in `caDir` that are named by `openssl rehash`. */
function authoritiesOf(toggles: Toggles, folder: string): Buffer | undefined {
  const [file, directory] = [toggles.get('caFile'), toggles.get('caDir')];
  const found: Buffer[] = [];
  if (file !== '') {
    found.push(tried(`CA database load (file "${file}") failed:`, () => readPemFile(resolve(folder, file))));
  }
  if (directory !== '') found.push(...filesOfAuthorities(resolve(folder, directory)));
  return found.length === 0 ? undefined : Buffer.concat(found.flatMap((pem) => [pem, Buffer.from('\n')]));
}

/** As in s3270, a missing folder contains no authorities. */
function filesOfAuthorities(directory: string): Buffer[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  const files = names.filter((name) => /^[0-9a-f]{8}\.\d+$/.test(name));
  const what = `CA database load (directory "${directory}") failed:`;
  if (files.length > MOST_AUTHORITIES) throw tlsError(what, `More than ${MOST_AUTHORITIES} files`);
  return files.map((name) => tried(what, () => readPemFile(resolve(directory, name))));
}

function ownCertificate(toggles: Toggles, folder: string): Pick<HostTlsOptions, 'cert' | 'key' | 'passphrase'> {
  const [chain, certificate, keyFile] = [toggles.get('chainFile'), toggles.get('certFile'), toggles.get('keyFile')];
  const isDer = { certificate: isDerType(toggles, 'certFileType'), key: isDerType(toggles, 'keyFileType') };
  if (chain === '' && certificate === '') {
    if (keyFile !== '') throw tlsError('Private key check failed:', 'no certificate assigned');
    return {};
  }
  const cert =
    chain === ''
      ? tried(`Client certificate file load ("${certificate}") failed:`, () =>
          readCertificate(resolve(folder, certificate), isDer.certificate),
        )
      : tried(`Client certificate chain file load ("${chain}") failed:`, () =>
          readCertificate(resolve(folder, chain), false),
        );
  const passphrase = passphraseOf(toggles.get('keyPasswd'), folder);
  const keyIn = keyFile || chain || certificate;
  const isDerKey = keyFile === '' ? chain === '' && isDer.certificate : isDer.key;
  const key = tried(`Private key file load ("${keyIn}") failed:`, () =>
    readKey(resolve(folder, keyIn), isDerKey, passphrase),
  );
  return { cert, key: key.export({ type: 'pkcs8', format: 'pem' }) };
}

function isDerType(toggles: Toggles, name: 'certFileType' | 'keyFileType'): boolean {
  const type = toggles.get(name);
  if (!/^(|pem|asn1)$/i.test(type)) {
    throw new Error(
      `TLS: Invalid ${name === 'certFileType' ? 'client certificate' : 'private key'} file type '${type}'`,
    );
  }
  return type.toLowerCase() === 'asn1';
}

function readCertificate(path: string, isDer: boolean): Buffer {
  const bytes = readPemFile(path);
  if (!isDer) {
    // report a file without a certificate here, instead of waiting for the host to reject it
    new X509Certificate(bytes);
    return bytes;
  }
  if (bytes[0] === 0x2d) throw new Error('wrong tag');
  return Buffer.from(new X509Certificate(bytes).toString());
}

function readKey(path: string, isDer: boolean, passphrase: string | undefined): KeyObject {
  const bytes = readPemFile(path);
  const secret = passphrase === undefined ? {} : { passphrase };
  if (!isDer) return createPrivateKey({ key: bytes, format: 'pem', ...secret });
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: bytes, format: 'der', type, ...secret });
    } catch {
      // try the next type
    }
  }
  throw new Error('unsupported');
}

/** `string:TEXT`, `file:NAME`, or the text itself. */
function passphraseOf(written: string, folder: string): string | undefined {
  const [, kind = 'string', value = ''] = /^(?:(file|string):)?([\s\S]*)$/.exec(written) ?? [];
  if (value === '') return undefined;
  return kind === 'file' ? readFileSync(resolve(folder, value), 'utf8').replace(/\r?\n$/, '') : value;
}

function tried<Read>(what: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw tlsError(what, reasonOf(error as NodeJS.ErrnoException));
  }
}

function tlsError(what: string, reason: string): Error {
  return new Error(`TLS: ${what}\n${reason}`);
}

/** Wording of the C library and of OpenSSL. The result must not contain file contents. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') return systemErrorWords({ code, message });
  return message.split(':').at(-1)?.trim() || message;
}
