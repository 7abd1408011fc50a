import { createPrivateKey, X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Configuration } from '../../config/configuration.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { counted } from '../check/print-diagnostics.js';
import { type Finding, findingsOf, wordsOf } from './finding.js';

const DAY_MILLISECONDS = 86_400_000;
const SOON_DAYS = 30;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

interface CertificateFiles {
  /** `line W-HTTPS` */
  readonly about: string;
  readonly cert: string;
  readonly key: string;
  /** It must be good for these. */
  readonly names: readonly string[];
}

export function certificateFilesOf({ inboundLines, outboundLines, hosts }: Configuration): readonly CertificateFiles[] {
  const found: CertificateFiles[] = [];
  const add = (about: string, tls: unknown, names: readonly string[] = []) => {
    const { cert, key } = Object(tls) as Record<string, unknown>;
    if (typeof cert === 'string' && typeof key === 'string') found.push({ about, cert, key, names });
  };
  for (const { name, tls, hostNames } of inboundLines) add(`line ${name}`, tls, [...(hostNames ?? [])]);
  for (const { name, tls } of outboundLines) add(`line ${name}`, tls);
  for (const [name, host] of hosts) if (!host.simulated) add(`host ${name}`, host.tls);
  return found;
}

/** Times, key, chain and names of a certificate, and who may read its key. Nothing of the key is told. */
export async function checkCertificate(files: CertificateFiles, now: number): Promise<readonly Finding[]> {
  const { ok, warning, fault } = findingsOf('certificate', files.about);
  let chain: readonly X509Certificate[];
  try {
    const pem = readPemFile(files.cert).toString('latin1').match(PEM_CERTIFICATE) ?? [];
    chain = pem.map((text) => new X509Certificate(text));
  } catch (error) {
    return [fault(`${files.cert} cannot be read: ${wordsOf(error)}`, 'put a certificate in PEM form there')];
  }
  const [own] = chain;
  if (own === undefined) return [fault(`${files.cert} has no certificate`, 'put a certificate in PEM form there')];
  const findings: Finding[] = [
    ...timeFaults(files, chain, now),
    ...keyFaults(files, own),
    ...chainFaults(files, chain),
  ];
  for (const name of files.names) {
    const address = name.replace(/^\[|\]$/g, '');
    if ((isIP(address) === 0 ? own.checkHost(name) : own.checkIP(address)) === undefined) {
      findings.push(fault(`it is not good for ${name}`, 'have one made with that name in subjectAltName'));
    }
  }
  const mode = await stat(files.key).then(
    (facts) => facts.mode & 0o777,
    () => 0,
  );
  if ((mode & 0o077) !== 0) {
    findings.push(warning(`others may read its key (mode ${mode.toString(8)})`, `chmod 600 ${files.key}`));
  }
  return findings.length > 0 ? findings : [ok(`good until ${new Date(own.validTo).toISOString().slice(0, 10)}`)];
}

function timeFaults({ about }: CertificateFiles, chain: readonly X509Certificate[], now: number): readonly Finding[] {
  const { warning, fault } = findingsOf('certificate', about);
  return chain.flatMap(({ validFrom, validTo }, at) => {
    const which = at === 0 ? 'it' : `certificate ${at + 1} of its chain`;
    const days = Math.floor((Date.parse(validTo) - now) / DAY_MILLISECONDS);
    if (Date.parse(validFrom) > now) return [fault(`${which} begins ${validFrom}`, 'look whether the clock is right')];
    if (days < 0)
      return [fault(`${which} has ended ${validTo}`, 'renew it; a server that runs takes the new files by itself')];
    if (days >= SOON_DAYS) return [];
    return [
      warning(
        `${which} ends ${validTo}, in ${counted(days, 'day')}`,
        'renew it; a server that runs takes the new files by itself',
      ),
    ];
  });
}

function keyFaults({ about, key }: CertificateFiles, own: X509Certificate): readonly Finding[] {
  const { fault } = findingsOf('certificate', about);
  try {
    // what OpenSSL says of a key is not told: it may quote it
    if (own.checkPrivateKey(createPrivateKey(readPemFile(key)))) return [];
    return [fault(`${key} is the key of another certificate`, 'put the key there that the certificate was made for')];
  } catch {
    return [fault(`${key} cannot be used as a key`, 'put the key there, in PEM form and without a passphrase')];
  }
}

function chainFaults({ about }: CertificateFiles, chain: readonly X509Certificate[]): readonly Finding[] {
  const { warning, fault } = findingsOf('certificate', about);
  for (const [at, certificate] of chain.entries()) {
    const issuer = chain[at + 1];
    if (issuer === undefined) continue;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      return [
        fault(
          `certificate ${at + 2} of its file has not issued the one before`,
          'put the chain in order: its own first, then who issued it',
        ),
      ];
    }
  }
  const last = chain.at(-1);
  if (last === undefined) return [];
  const isSelfSigned = last.checkIssued(last) && last.verify(last.publicKey);
  if (isSelfSigned) {
    return chain.length > 1
      ? []
      : [warning('it has signed itself: browsers warn of it', 'have it signed by an authority that your users trust')];
  }
  const isKnown = rootCertificates.some((pem) => last.checkIssued(new X509Certificate(pem)));
  if (isKnown) return [];
  return [
    warning(
      `${shortName(last.issuer)}, who issued it, is neither in its file nor an authority that is widely trusted`,
      'append the certificates between it and the authority; of an authority of your own, see that browsers have it',
    ),
  ];
}

function shortName(issuer: string): string {
  return /^CN=(.*)$/m.exec(issuer)?.[1] ?? issuer.replaceAll('\n', ', ');
}
