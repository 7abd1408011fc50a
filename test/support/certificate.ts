import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LineTls } from '../../src/line/line-definition.js';

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
