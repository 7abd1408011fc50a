import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { expect } from 'chai';
import { awaited } from '../support/awaited.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { withoutTimes } from './raw-host.js';
import { ownS3270, programOf, type StartS3270 } from './started-s3270.js';

const PASSPHRASE = 'canary-of-a-key';

const questions = [
  ...['Query(ConnectionState)', 'Query(Tls)', 'Query(TlsCertInfo)', 'Query(TlsSubjectNames)'],
  'Query(TlsSessionInfo)',
];

/** What both answer alike; NAMED is the host by the name of its certificate. */
const accepted: Readonly<Record<string, { readonly words: readonly string[]; readonly asksForCertificate?: true }>> = {
  'an authority, and the name of the certificate': { words: ['-cafile', 'host.pem', 'NAMED'] },
  'an authority, and a name that is accepted': {
    words: ['-cafile', 'host.pem', '-accepthostname', 'example.test', 'L:HOST'],
  },
  'an authority of a folder': { words: ['-cadir', 'authorities', 'NAMED'] },
  'a certificate that is not looked at': { words: ['-noverifycert', 'L:HOST'] },
  'a host by whose prefix it is not looked at': { words: ['Y:L:HOST'] },
  'our own certificate': {
    words: ['-certfile', 'host.pem', '-keyfile', 'host.key', 'Y:L:HOST'],
    asksForCertificate: true,
  },
  'our own certificate and key in DER': {
    words: [
      ...['-certfile', 'host.der', '-certfiletype', 'asn1', '-keyfile', 'key.der', '-keyfiletype', 'asn1', 'Y:L:HOST'],
    ],
    asksForCertificate: true,
  },
  'a certificate and its key in one file': { words: ['-certfile', 'both.pem', 'Y:L:HOST'], asksForCertificate: true },
  'a chain with its key': { words: ['-chainfile', 'both.pem', 'Y:L:HOST'], asksForCertificate: true },
  'a key under a password': {
    words: [...['-certfile', 'host.pem', '-keyfile', 'locked.key', '-keypasswd', `string:${PASSPHRASE}`, 'Y:L:HOST']],
    asksForCertificate: true,
  },
  'a key under a password of a file': {
    words: [...['-certfile', 'host.pem', '-keyfile', 'locked.key', '-keypasswd', 'file:password', 'Y:L:HOST']],
    asksForCertificate: true,
  },
};

/** Files that cannot be used: s3270 4.1 says it on standard error, 4.6 and we as data. */
const unusable: Readonly<Record<string, readonly string[]>> = {
  'authorities that are not there': ['-cafile', 'nothing.pem', 'L:HOST'],
  'a certificate that is not there': ['-certfile', 'nothing.pem', 'Y:L:HOST'],
  'a chain that is not there': ['-chainfile', 'nothing.pem', 'Y:L:HOST'],
  'a key that is not there': ['-certfile', 'host.pem', '-keyfile', 'nothing.key', 'Y:L:HOST'],
  'a key without a certificate': ['-keyfile', 'host.key', 'Y:L:HOST'],
  'a certificate without a key': ['-certfile', 'host.pem', 'Y:L:HOST'],
  'PEM that is said to be DER': ['-certfile', 'host.pem', '-certfiletype', 'asn1', '-keyfile', 'host.key', 'Y:L:HOST'],
  'a kind of file that is none': ['-certfile', 'host.pem', '-certfiletype', 'foo', '-keyfile', 'host.key', 'Y:L:HOST'],
  'a kind of key that is none': ['-certfile', 'host.pem', '-keyfile', 'host.key', '-keyfiletype', 'foo', 'Y:L:HOST'],
};

describe('TLS beside s3270', () => {
  let folder: string;
  let server: Server;
  let port: number;
  const shown: string[] = [];

  before(async function () {
    needS3270(this);
    folder = mkdtempSync(join(tmpdir(), 'sallyport-tls-'));
    const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
    openssl(
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'host.key', '-out', 'host.pem', '-days', '2'],
      ...['-subj', '/CN=example.test', '-addext', 'subjectAltName=DNS:example.test,DNS:other.test,IP:10.1.2.3'],
    );
    openssl('x509', '-in', 'host.pem', '-outform', 'DER', '-out', 'host.der');
    openssl('rsa', '-in', 'host.key', '-outform', 'DER', '-out', 'key.der');
    openssl('rsa', '-in', 'host.key', '-aes256', '-passout', `pass:${PASSPHRASE}`, '-out', 'locked.key');
    execFileSync('sh', ['-c', `cat host.pem host.key > both.pem; echo ${PASSPHRASE} > password`], { cwd: folder });
    mkdirSync(join(folder, 'authorities'));
    copyFileSync(join(folder, 'host.pem'), join(folder, 'authorities', 'host.pem'));
    openssl('rehash', 'authorities');
    server = createServer(
      {
        key: readFileSync(join(folder, 'host.key')),
        cert: readFileSync(join(folder, 'host.pem')),
        requestCert: true,
        rejectUnauthorized: false,
      },
      (socket) => {
        shown.push(String(socket.getPeerCertificate().subject?.CN));
        socket.on('error', () => undefined);
        socket.resume();
        socket.write('ready\r\n');
      },
    );
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  after(() => {
    server?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  async function run(start: StartS3270, words: readonly string[], actions: readonly string[]) {
    const address = `127.0.0.1:${port}`;
    const host = (words.at(-1) ?? '').replace('NAMED', `L:${address}=example.test`).replace('HOST', address);
    const child = start(['-utf8', ...words.slice(0, -1)], { folder });
    child.stdin.end([`Connect(${host})`, ...actions].map((action) => `${action}\n`).join(''));
    const said = { output: '', error: '' };
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      said.output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.error += text;
    });
    const what = `the answers to ${actions.join(' ')}`;
    await awaited(child.program, what, once(child, 'close'), () => child.abandon());
    return { output: withoutTimes(said.output, port).trimEnd().split('\n'), error: said.error };
  }
  const real = programOf(['s3270']);

  for (const [name, { words, asksForCertificate }] of Object.entries(accepted)) {
    it(`is the same with ${name}`, async () => {
      shown.length = 0;
      const expected = await run(real, words, questions);
      const found = await run(ownS3270, words, questions);
      expect(expected.output).to.include('data: connected-nvt');
      expect(found).to.deep.equal(expected);
      expect(shown).to.deep.equal(Array(2).fill(asksForCertificate ? 'example.test' : 'undefined'));
    });
  }

  for (const [name, words] of Object.entries(unusable)) {
    it(`fails in the same words with ${name}`, async () => {
      const expected = await run(real, words, []);
      const found = await run(ownS3270, words, []);
      expect(expected.error).to.match(/^TLS: /);
      const told = found.output.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
      expect(told).to.deep.equal(['Connection failed:', ...expected.error.trimEnd().split('\n')]);
      expect(found.output.at(-1)).to.equal('error');
    });
  }

  it('never tells the password of a key that it does not open', async () => {
    const words = [
      '-certfile',
      'host.pem',
      '-keyfile',
      'locked.key',
      '-keypasswd',
      `string:${PASSPHRASE}x`,
      'Y:L:HOST',
    ];
    const { output, error } = await run(programOf([process.execPath, commandScript, 's3270']), words, [
      'Query(CommandLine)',
      'Set(keyPasswd)',
      'Set',
    ]);
    expect(output[1]).to.equal('data: TLS: Private key file load ("locked.key") failed:');
    expect(`${output.join('\n')}${error}`).not.to.include(PASSPHRASE);
  });

  // the words of 4.1 where its memory is kept whole: without that it writes garbage here
  const refusals: Readonly<Record<string, readonly [words: readonly string[], reason: string]>> = {
    'self-signed': [['L:HOST'], 'self-signed certificate (18)'],
    'for no address': [['-cafile', 'host.pem', 'L:HOST'], 'hostname mismatch (62)'],
    'for another name': [['-cafile', 'host.pem', '-accepthostname', 'wrong.test', 'L:HOST'], 'hostname mismatch (62)'],
  };
  for (const [name, [words, reason]] of Object.entries(refusals)) {
    it(`says of a certificate that is ${name} what OpenSSL says`, async () => {
      const { output } = await run(ownS3270, words, []);
      const isOtherName = reason.startsWith('hostname');
      expect(output.filter((line) => line.startsWith('data: '))).to.deep.equal([
        'data: Connection failed:',
        'data: TLS: Host certificate verification failed:',
        `data: ${reason}`,
        ...(isOtherName ? ['data: Possibly use SubjectNames() to list the host cert names'] : []),
      ]);
    });
  }

  it('takes the authorities of a folder of 512, and of none with more', async () => {
    const many = join(folder, 'many');
    mkdirSync(many);
    const copy = (at: number) =>
      copyFileSync(join(folder, 'host.pem'), join(many, `${at.toString(16).padStart(8, '0')}.0`));
    for (let at = 0; at < 512; at++) copy(at);
    const { output } = await run(ownS3270, ['-cadir', 'many', 'NAMED'], []);
    expect(output.at(-1)).to.equal('ok');
    copy(512);
    const refused = await run(ownS3270, ['-cadir', 'many', 'NAMED'], []);
    expect(refused.output.slice(1, 3)).to.deep.equal([
      `data: TLS: CA database load (directory "${many}") failed:`,
      'data: More than 512 files',
    ]);
  });

  it('takes no authority that is in no file of the name of its hash', async () => {
    rmSync(join(folder, 'plain'), { recursive: true, force: true });
    mkdirSync(join(folder, 'plain'));
    copyFileSync(join(folder, 'host.pem'), join(folder, 'plain', 'host.pem'));
    const { output } = await run(ownS3270, ['-cadir', 'plain', 'NAMED'], []);
    expect(output[2]).to.equal('data: self-signed certificate (18)');
  });
});
