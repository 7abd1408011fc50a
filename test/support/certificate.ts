import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import type { LineTls } from '../../src/lines/listener/line-definition.js';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A self-signed certificate for localhost and 127.0.0.1, made by openssl. */
export function makeCertificate(kind: 'ec' | 'rsa' = 'ec'): LineTls {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-certificate-'));
  folders.push(folder);
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const words =
    `req -x509 -newkey ${kind === 'rsa' ? 'rsa:2048' : 'ec -pkeyopt ec_paramgen_curve:prime256v1'} -nodes -days 2 -subj /CN=localhost ` +
    `-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout ${files.key} -out ${files.cert}`;
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' });
  return files;
}

/** A certificate that expired yesterday, which openssl cannot create. */
export function makeEndedCertificate(): LineTls {
  return makeCertificateThatEnds(Date.now() - 24 * 3_600_000);
}

/** @param end milliseconds since 1970 */
export function makeCertificateThatEnds(end: number): LineTls {
  const files = makeCertificate('rsa');
  const key = forge.pki.privateKeyFromPem(readFileSync(files.key, 'utf8'));
  const certificate = forge.pki.certificateFromPem(readFileSync(files.cert, 'utf8'));
  certificate.validity.notBefore = new Date(Date.now() - 2 * 24 * 3_600_000);
  certificate.validity.notAfter = new Date(end);
  certificate.sign(key, forge.md.sha256.create());
  writeFileSync(files.cert, forge.pki.certificateToPem(certificate));
  return files;
}
