import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { ldapServerOf } from '../../../src/access/ldap/ldap-server.js';
import { connectionSettings } from '../../../src/cluster/postgresql/database-hosts.js';
import { readPemFile } from '../../../src/config/read-pem-file.js';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { cipherStringFault, tlsCiphers } from '../../../src/lib/network/tls-ciphers.js';
import { connectorOfLine } from '../../../src/scenarios/outbound/outbound-line.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { needCommand } from '../../support/need.js';
import { portOf } from './definition.js';
import { openedLines } from './opened-lines.js';

/** Suites with CBC; OpenSSL names no CBC in them. */
const cbcSuites = ['ECDHE-RSA-AES128-SHA', 'ECDHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA384', 'AES128-SHA'] as const;
const CBC = 'ECDHE-RSA-AES128-SHA';
const GCM = 'ECDHE-RSA-AES128-GCM-SHA256';

/** What `openssl s_client` agrees on with a server: a suite, or `(NONE)`. */
function agreedSuite(port: number, ...options: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const words = ['s_client', '-connect', `127.0.0.1:${port}`, ...options];
    const client = execFile('openssl', words, (_error, stdout) => {
      const suite = /Cipher is (\S+)/.exec(stdout)?.[1];
      if (suite === undefined) reject(new Error(stdout));
      else resolve(suite);
    });
    client.stdin?.end();
  });
}

const overTls12 = (port: number, suite: string) => agreedSuite(port, '-tls1_2', '-cipher', suite);

describe('the cipher suites of servers', () => {
  const { open } = openedLines();
  before(function () {
    needCommand(this, 'openssl');
  });

  it('have neither CBC nor static RSA on a line, and have what tls.ciphers names beside TLS 1.3', async () => {
    const files = makeCertificate('rsa');
    const port = portOf((await open({ tls: files })).url);
    for (const suite of cbcSuites) expect(await overTls12(port, suite), suite).to.equal('(NONE)');
    expect(await overTls12(port, GCM)).to.equal(GCM);
    expect(await agreedSuite(port, '-tls1_3')).to.match(/^TLS_/);

    const other = portOf((await open({ tls: { ...files, ciphers: CBC } })).url);
    expect(await overTls12(other, CBC)).to.equal(CBC);
    expect(await overTls12(other, GCM)).to.equal('(NONE)');
    expect(await agreedSuite(other, '-tls1_3')).to.match(/^TLS_/);
  });

  it('stay the same on a line whose certificate is renewed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-suites-'));
    try {
      const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
      const [first, second] = [makeCertificate('rsa'), makeCertificate('rsa')];
      const place = (from: typeof first) => {
        copyFileSync(from.cert, files.cert);
        copyFileSync(from.key, files.key);
      };
      place(first);
      const [line, old] = [await open({ tls: files }), await open({ tls: { ...files, ciphers: CBC } })];
      const before = [line.certificate?.expires, old.certificate?.expires];
      place(second);
      const shown = (port: number) =>
        new Promise<string>((resolve, reject) => {
          const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().raw.toString('base64'));
            socket.destroy();
          });
          socket.once('error', reject);
        });
      const pem = readFileSync(second.cert, 'utf8').replace(/-----[^-]+-----|\s/g, '');
      for (const { url } of [line, old])
        await eventually(async () => ((await shown(portOf(url))) === pem ? true : undefined));
      expect(before).to.have.length(2);
      expect(await overTls12(portOf(line.url), CBC)).to.equal('(NONE)');
      expect(await overTls12(portOf(old.url), CBC)).to.equal(CBC);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have no CBC at the port of the simulated host', async () => {
    const codePage = findCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page');
    const files = makeCertificate('rsa');
    const host = new SimulatedHost({ codePage, users: {}, start: 'MENU' });
    try {
      const tls = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
      const { port } = await host.listen({ host: '127.0.0.1', port: 0, tls });
      for (const suite of cbcSuites) expect(await overTls12(port, suite), suite).to.equal('(NONE)');
      expect(await overTls12(port, GCM)).to.equal(GCM);
    } finally {
      await host.close();
    }
  });
});

describe('the cipher suites of clients', () => {
  const servers: ChildProcess[] = [];
  const files = { cert: '', key: '' };
  let cbcPort = 0;
  let gcmPort = 0;

  /** A server of another make with one suite. */
  async function server(suite: string): Promise<number> {
    const port = await freePort();
    const words = ['s_server', '-accept', `127.0.0.1:${port}`, '-cert', files.cert, '-key', files.key, '-quiet'];
    const process = spawn('openssl', [...words, '-tls1_2', '-cipher', suite], { stdio: ['pipe', 'ignore', 'ignore'] });
    servers.push(process);
    await eventually(async () => ((await agreedSuite(port, '-tls1_2').catch(() => '')) === suite ? true : undefined));
    return port;
  }

  before(async function () {
    needCommand(this, 'openssl');
    Object.assign(files, makeCertificate('rsa'));
    cbcPort = await server(CBC);
    gcmPort = await server(GCM);
  });
  after(() => {
    for (const process of servers) process.kill();
  });

  function outcomeOf(options: ConnectionOptions, port: number): Promise<string> {
    return new Promise((resolve) => {
      const socket = connectTls({ ...options, host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  }
  const refusal = /HANDSHAKE_FAILURE|handshake failure|ECONNRESET/i;

  it('have no CBC with a host, unless tls.ciphers of the host names it', async () => {
    const suiteWith = async (port: number, ciphers?: string) => {
      const handler = { take: () => true, goOn: () => true, ended: () => {}, failed: () => {} };
      const { signal } = new AbortController();
      const address = { host: '127.0.0.1', port };
      const tls = { verify: false, ...(ciphers === undefined ? {} : { ciphers }) };
      const options = { address, tls, connectMilliseconds: 10_000, signal };
      const connection = await openHostConnection(options, handler).catch((error: Error) => error.message);
      if (typeof connection === 'string') return connection;
      const { secured } = connection;
      connection.destroy();
      return secured;
    };
    expect(await suiteWith(cbcPort)).to.match(refusal);
    expect(await suiteWith(gcmPort)).to.equal(`TLSv1.2 ${GCM}`);
    expect(await suiteWith(cbcPort, CBC)).to.equal(`TLSv1.2 ${CBC}`);
    expect(await suiteWith(gcmPort, CBC)).to.match(refusal);
  });

  it('have no CBC on an outbound line, unless its tls.ciphers names it', async () => {
    const limits = { connections: 1, queuedRequests: 1, connectSeconds: 10, replyBytes: 1, replyHeaderBytes: 1 };
    const suiteWith = (port: number, ciphers?: string) => {
      const tls = { ca: files.cert, cert: undefined, key: undefined, ciphers };
      const line = { name: 'OUT', externalName: 'OUT', site: undefined, tls, limits };
      const connector = connectorOfLine(line, readPemFile);
      return new Promise<string>((resolve) => {
        const options = { hostname: 'localhost', host: 'localhost', protocol: 'https:', port: String(port) };
        connector(options, (error, socket) => {
          if (error !== null) return resolve((error as NodeJS.ErrnoException).code ?? error.message);
          resolve((socket as unknown as ReturnType<typeof connectTls>).getCipher().name);
          socket?.destroy();
        });
      });
    };
    expect(await suiteWith(cbcPort)).to.match(refusal);
    expect(await suiteWith(gcmPort)).to.equal(GCM);
    expect(await suiteWith(cbcPort, CBC)).to.equal(CBC);
  });

  it('have no CBC with a directory server and with PostgreSQL', async () => {
    const ldap = ldapServerOf({
      ...{ url: 'ldaps://localhost', startTls: false, ca: undefined, verify: true, bindDn: undefined },
      ...{ bindPassword: undefined, userBase: '', userFilter: '(uid={user})', userNameAttribute: 'uid', groupBase: '' },
      ...{ groupFilter: '(member={dn})', groupNameAttribute: 'cn', defaultGroupAttribute: undefined },
      ...{ administratorGroup: undefined, operatorGroup: undefined, connectMilliseconds: 1, timeoutMilliseconds: 1 },
      mostConnections: 1,
    });
    const limits = { connections: 1, connectMilliseconds: 1, statementMilliseconds: 1 };
    const host = { host: 'localhost', port: 1 };
    const database = { hosts: [host], database: 'd', user: 'u', password: undefined, limits };
    const { ssl } = connectionSettings({ ...database, tls: { ca: undefined } }, host);
    for (const options of [ldap.tls, ssl as ConnectionOptions]) {
      expect(await outcomeOf(options, cbcPort)).to.match(refusal);
      expect(await outcomeOf(options, gcmPort)).to.equal(GCM);
    }
  });
});

describe('a cipher string', () => {
  it('is refused with the part that OpenSSL does not know, which it would ignore', () => {
    const fault = (part: string) => `expected cipher suites that OpenSSL knows, found "${part}"`;
    expect(cipherStringFault('ECDHE-RSA-AES128-SHAA')).to.equal(fault('ECDHE-RSA-AES128-SHAA'));
    expect(cipherStringFault(`${CBC}:HIHG:!aNULL`)).to.equal(fault('HIHG'));
    expect(cipherStringFault('DEFAULT:!kRSAA')).to.equal(fault('!kRSAA'));
    expect(cipherStringFault('TLS_AES_128_GCM_SHA999')).to.equal(fault('TLS_AES_128_GCM_SHA999'));
    expect(cipherStringFault('DEFAULT@')).to.equal(fault('DEFAULT@'));
    expect(cipherStringFault('@SECLEVEL=9')).to.equal(fault('@SECLEVEL=9'));
    expect(cipherStringFault('!')).to.equal(fault('!'));
    expect(cipherStringFault(':')).to.equal('expected at least one cipher suite that may be used');
    expect(cipherStringFault('HIGH:!HIGH')).to.equal('expected at least one cipher suite that may be used');
  });

  it('is taken as OpenSSL writes them', () => {
    for (const written of [
      ...[CBC, `${CBC}:${GCM}`, 'DEFAULT:!kRSA', 'ECDHE+AESGCM:ECDHE+AES', 'HIGH:!aNULL:!MD5:@STRENGTH'],
      ...['DEFAULT:@SECLEVEL=0', `TLS_AES_128_GCM_SHA256:${GCM}`, 'AES128-SHA', `${CBC}, ${GCM}`],
    ]) {
      expect(cipherStringFault(written), written).to.equal(undefined);
    }
  });

  it('keeps TLS 1.3 as it is unless it names a suite of it', () => {
    const tls13 = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';
    expect(tlsCiphers(CBC)).to.equal(`${tls13}:${CBC}`);
    expect(tlsCiphers(`${GCM}:TLS_AES_128_GCM_SHA256`)).to.equal(`${GCM}:TLS_AES_128_GCM_SHA256`);
  });
});
