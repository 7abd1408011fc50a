import { createPrivateKey, X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Configuration } from '../../config/configuration.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { messageOf } from '../../lib/text/messages.js';
import { CERTIFICATE_ERROR_MILLISECONDS } from '../../lines/listener/certificate-watch.js';
import { counted } from '../output.js';
import { type Finding, findingsOf } from './finding.js';

const DAY_MILLISECONDS = 86_400_000;
const SOON_DAYS = 30;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

interface CertificateFiles {
  readonly about: string;
  readonly cert: string;
  readonly key: string;
  readonly names: readonly string[];
  /** Verifying side: browsers use public authorities, cluster nodes the authorities of `ca`, services any. */
  readonly trust: 'browsers' | 'services' | { readonly ca: string };
}

interface AuthorityFile {
  readonly about: string;
  readonly ca: string;
}

export function certificateFilesOf(configuration: Configuration): readonly CertificateFiles[] {
  const { inboundLines, outboundLines, hosts, internalLine } = configuration;
  const found: CertificateFiles[] = [];
  const add = (
    about: string,
    tls: unknown,
    { names = [], trust }: Pick<CertificateFiles, 'trust'> & { names?: string[] },
  ) => {
    const { cert, key } = Object(tls) as Record<string, unknown>;
    if (typeof cert === 'string' && typeof key === 'string') found.push({ about, cert, key, names, trust });
  };
  for (const { name, tls, hostNames } of inboundLines) {
    add(`line ${name}`, tls, { names: [...(hostNames ?? [])], trust: 'browsers' });
  }
  for (const { name, tls } of outboundLines) add(`line ${name}`, tls, { trust: 'services' });
  for (const [name, host] of hosts) if (!host.simulated) add(`host ${name}`, host.tls, { trust: 'services' });
  const own = internalLine?.tls;
  if (own !== undefined) add('cluster', own, { names: [own.name], trust: { ca: own.ca } });
  return found;
}

export function authorityFilesOf(configuration: Configuration): readonly AuthorityFile[] {
  const { outboundLines, hosts, internalLine, security, store } = configuration;
  const named: [about: string, ca: unknown][] = [
    ...outboundLines.map(({ name, tls }): [string, unknown] => [`line ${name}`, tls?.ca]),
    ...[...hosts].map(([name, host]): [string, unknown] => [
      `host ${name}`,
      host.simulated ? undefined : Object(host.tls).ca,
    ]),
    ['cluster', internalLine?.tls.ca],
    ['directory server', security.ldap?.ca],
    ['PostgreSQL', store?.ca],
  ];
  return named.flatMap(([about, ca]) => (typeof ca === 'string' ? [{ about, ca }] : []));
}

export async function checkAuthorities({ about, ca }: AuthorityFile, now: number): Promise<readonly Finding[]> {
  const { ok, warning, fault } = findingsOf('authorities', about);
  const advice = 'put the certificates of the authorities there, in PEM form';
  let all: readonly X509Certificate[];
  try {
    all = certificatesIn(ca);
  } catch (error) {
    return [fault(`${ca} cannot be read: ${messageOf(error)}`, advice)];
  }
  if (all.length === 0) return [fault(`${ca} contains no certificate`, advice)];
  const ended = all.filter(({ validTo }) => Date.parse(validTo) <= now);
  const soon = all.filter((one) => !ended.includes(one) && daysLeft(one, now) < SOON_DAYS);
  const renewal = 'add the current certificate of the authority, and keep the old one while both are in use';
  const findings: Finding[] = [];
  const isLast = soon.length + ended.length === all.length && soon.every((one) => endsWithinHours(one, now));
  if (ended.length === all.length)
    findings.push(fault(`all certificates in ${ca} have expired, so no server can be verified`, renewal));
  else for (const one of ended) findings.push(warning(`${shortName(one.subject)} expired on ${one.validTo}`, renewal));
  for (const one of soon) {
    const words = `${shortName(one.subject)} expires on ${one.validTo}`;
    findings.push(
      isLast
        ? fault(`${words}, within 24 hours, and no other certificate is valid longer`, renewal)
        : warning(`${words}, in ${counted(daysLeft(one, now), 'day')}`, renewal),
    );
  }
  const mode = await modeOf(ca);
  if ((mode & 0o022) !== 0) {
    findings.push(warning(`other users can modify ${ca} (mode ${mode.toString(8)})`, `chmod 644 ${ca}`));
  }
  return findings.length > 0 ? findings : [ok(`${ca} has ${counted(all.length, 'certificate')}`)];
}

function certificatesIn(file: string): readonly X509Certificate[] {
  const pem = readPemFile(file).toString('latin1').match(PEM_CERTIFICATE) ?? [];
  return pem.map((text) => new X509Certificate(text));
}

function daysLeft({ validTo }: X509Certificate, now: number): number {
  return Math.floor((Date.parse(validTo) - now) / DAY_MILLISECONDS);
}

function endsWithinHours({ validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validTo) - now < CERTIFICATE_ERROR_MILLISECONDS;
}

function modeOf(file: string): Promise<number> {
  return stat(file).then(
    (facts) => facts.mode & 0o777,
    () => 0,
  );
}

/** Checks validity, key, chain, names and key permissions of a certificate. Findings contain nothing of the key. */
export async function checkCertificate(files: CertificateFiles, now: number): Promise<readonly Finding[]> {
  const { ok, warning, fault } = findingsOf('certificate', files.about);
  let chain: readonly X509Certificate[];
  try {
    chain = certificatesIn(files.cert);
  } catch (error) {
    return [fault(`${files.cert} cannot be read: ${messageOf(error)}`, 'put a certificate in PEM form there')];
  }
  const [own] = chain;
  if (own === undefined) return [fault(`${files.cert} contains no certificate`, 'put a certificate in PEM form there')];
  const findings: Finding[] = [
    ...timeFaults(files, chain, now),
    ...keyFaults(files, own),
    ...chainFaults(files, chain),
  ];
  for (const name of files.names) {
    const address = name.replace(/^\[|\]$/g, '');
    if ((isIP(address) === 0 ? own.checkHost(name) : own.checkIP(address)) === undefined) {
      findings.push(fault(`it is not valid for ${name}`, 'request a certificate with that name in subjectAltName'));
    }
  }
  const mode = await modeOf(files.key);
  if ((mode & 0o077) !== 0) {
    findings.push(warning(`other users can read its key (mode ${mode.toString(8)})`, `chmod 600 ${files.key}`));
  }
  return findings.length > 0 ? findings : [ok(`valid until ${new Date(own.validTo).toISOString().slice(0, 10)}`)];
}

function timeFaults({ about }: CertificateFiles, chain: readonly X509Certificate[], now: number): readonly Finding[] {
  const { warning, fault } = findingsOf('certificate', about);
  return chain.flatMap((certificate, at) => {
    const { validFrom, validTo } = certificate;
    const which = at === 0 ? 'it' : `certificate ${at + 1} of its chain`;
    const days = daysLeft(certificate, now);
    if (Date.parse(validFrom) > now)
      return [fault(`${which} is not valid before ${validFrom}`, 'check the clock of this machine')];
    if (days < 0)
      return [fault(`${which} expired on ${validTo}`, 'renew it; a running server loads the new files automatically')];
    if (days >= SOON_DAYS) return [];
    const renewal = 'renew it; a running server loads the new files automatically';
    if (endsWithinHours(certificate, now)) return [fault(`${which} expires on ${validTo}, within 24 hours`, renewal)];
    return [warning(`${which} expires on ${validTo}, in ${counted(days, 'day')}`, renewal)];
  });
}

function keyFaults({ about, key }: CertificateFiles, own: X509Certificate): readonly Finding[] {
  const { fault } = findingsOf('certificate', about);
  try {
    // OpenSSL's message is not shown, because it may quote the key
    if (own.checkPrivateKey(createPrivateKey(readPemFile(key)))) return [];
    return [fault(`${key} is the key of another certificate`, 'replace it with the key of this certificate')];
  } catch {
    return [fault(`${key} cannot be used as a key`, 'put the key there, in PEM form and without a passphrase')];
  }
}

function chainFaults({ about, trust }: CertificateFiles, chain: readonly X509Certificate[]): readonly Finding[] {
  const { warning, fault } = findingsOf('certificate', about);
  for (const [at, certificate] of chain.entries()) {
    const issuer = chain[at + 1];
    if (issuer === undefined) continue;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      return [
        fault(
          `certificate ${at + 2} of its file did not issue the certificate before it`,
          'reorder the file: the certificate of the server first, then its issuer',
        ),
      ];
    }
  }
  const last = chain.at(-1);
  if (last === undefined || trust === 'services') return [];
  if (trust !== 'browsers') return clusterFaults(about, last, trust.ca);
  const isSelfSigned = last.checkIssued(last) && last.verify(last.publicKey);
  if (isSelfSigned) {
    return chain.length > 1
      ? []
      : [
          warning(
            'it is self-signed, so browsers show a warning',
            'replace it with a certificate from an authority that your users trust',
          ),
        ];
  }
  const isKnown = rootCertificates.some((pem) => last.checkIssued(new X509Certificate(pem)));
  if (isKnown) return [];
  return [
    warning(
      `its issuer ${shortName(last.issuer)} is neither in its file nor a widely trusted authority`,
      'append the intermediate certificates; if the authority is your own, make sure that browsers trust it',
    ),
  ];
}

/** Unreadable authorities have their own finding. */
function clusterFaults(about: string, last: X509Certificate, ca: string): readonly Finding[] {
  let authorities: readonly X509Certificate[];
  try {
    authorities = certificatesIn(ca);
  } catch {
    return [];
  }
  if (authorities.some((one) => last.checkIssued(one) && last.verify(one.publicKey))) return [];
  const { fault } = findingsOf('certificate', about);
  return [
    fault(
      `no authority in ${ca} issued it, so the other nodes reject it`,
      'replace it with a certificate from the authority of the cluster, or append the intermediate certificates',
    ),
  ];
}

function shortName(distinguished: string): string {
  return /^CN=(.*)$/m.exec(distinguished)?.[1] ?? distinguished.replaceAll('\n', ', ');
}
