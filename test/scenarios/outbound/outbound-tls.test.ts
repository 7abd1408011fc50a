import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { needCommand } from '../../support/need.js';
import { failureOf, noSignal, openLine, post } from './outbound-fixture.js';
import { RawServer } from './raw-server.js';

/** Files of a small public key infrastructure, made by openssl. */
class TestAuthority {
  readonly folder = mkdtempSync(join(tmpdir(), 'sallyport-outbound-tls-'));

  constructor() {
    this.#openssl(
      'req',
      '-x509',
      ...this.#newKey('ca'),
      '-subj',
      '/CN=Test authority',
      '-days',
      '2',
      '-out',
      this.path('ca.pem'),
    );
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Makes `<name>.pem` and `<name>.key`, signed by the authority. */
  issue(name: string, subjectAlternativeName: string): void {
    const extensions = this.path(`${name}.ext`);
    writeFileSync(extensions, `subjectAltName=${subjectAlternativeName}\n`);
    this.#openssl('req', '-new', ...this.#newKey(name), '-subj', `/CN=${name}`, '-out', this.path(`${name}.csr`));
    const signer = ['-CA', this.path('ca.pem'), '-CAkey', this.path('ca.key'), '-CAcreateserial'];
    const files = ['-in', this.path(`${name}.csr`), '-extfile', extensions, '-out', this.path(`${name}.pem`)];
    this.#openssl('x509', '-req', ...signer, ...files, '-days', '2');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #newKey(name: string): string[] {
    return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', this.path(`${name}.key`)];
  }

  #openssl(...args: string[]): void {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  }
}

describe('an outbound line with TLS', () => {
  let authority: TestAuthority;
  const servers: Server[] = [];

  before(function () {
    needCommand(this, 'openssl');
    authority = new TestAuthority();
    authority.issue('server', 'DNS:localhost,IP:127.0.0.1,IP:::1');
    authority.issue('other', 'DNS:other.test');
    authority.issue('client', 'DNS:client.test');
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });
  after(() => authority?.remove());

  async function serve(certificate: string, host = '127.0.0.1', clientsNeedCertificates = false): Promise<number> {
    const cert = authority.read(`${certificate}.pem`);
    const key = authority.read(`${certificate}.key`);
    const options = { cert, key, ca: authority.read('ca.pem'), requestCert: clientsNeedCertificates };
    const server = createServer(options, (request, response) => {
      const socket = request.socket as TLSSocket;
      response.end(JSON.stringify({ host: request.headers.host, servername: socket.servername }));
    });
    servers.push(server);
    server.listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  async function reasonFor(tls: object, site: string): Promise<string> {
    const lines = openLine({ tls });
    const { reason } = await failureOf(lines.call('O-HTTP', post(site), 5000, noSignal()));
    await lines.close();
    return reason;
  }

  async function replyFor(tls: object, site: string): Promise<unknown> {
    const lines = openLine({ tls });
    const { body } = await lines.call('O-HTTP', post(site), 5000, noSignal());
    await lines.close();
    return JSON.parse(body.toString());
  }

  it('accepts a certificate of its own authority, for a name', async () => {
    const site = `localhost:${await serve('server')}`;
    const ca = authority.path('ca.pem');
    expect(await replyFor({ ca }, site)).to.deep.equal({ host: site, servername: 'localhost' });
  });

  it('accepts it for an address, without a server name', async () => {
    const site = `127.0.0.1:${await serve('server')}`;
    expect(await replyFor({ ca: authority.path('ca.pem') }, site)).to.deep.equal({ host: site, servername: false });
  });

  it('accepts it for an IPv6 address', async function () {
    const port = await serve('server', '::1').catch(() => undefined);
    if (port === undefined) return this.skip();
    const site = `[::1]:${port}`;
    expect(await replyFor({ ca: authority.path('ca.pem') }, site)).to.deep.equal({ host: site, servername: false });
  });

  it('refuses a certificate of an unknown authority', async () => {
    expect(await reasonFor({}, `localhost:${await serve('server')}`)).to.equal('tls');
  });

  it('refuses a self-signed certificate', async () => {
    expect(await reasonFor({}, `localhost:${await serve('ca')}`)).to.equal('tls');
  });

  it('refuses a certificate of another name', async () => {
    const ca = authority.path('ca.pem');
    expect(await reasonFor({ ca }, `localhost:${await serve('other')}`)).to.equal('tls');
    expect(await reasonFor({ ca }, `127.0.0.1:${await serve('other')}`)).to.equal('tls');
  });

  it('shows its own certificate to a service that asks for one', async () => {
    const port = await serve('server', '127.0.0.1', true);
    const ca = authority.path('ca.pem');
    const own = { ca, cert: authority.path('client.pem'), key: authority.path('client.key') };
    expect(await replyFor(own, `localhost:${port}`)).to.include({ servername: 'localhost' });
    expect(await reasonFor({ ca }, `localhost:${port}`)).to.be.oneOf(['tls', 'reply broken']);
  });

  describe('to a service that never answers the handshake', () => {
    let silent: RawServer;
    let port: number;
    beforeEach(async () => {
      silent = new RawServer(() => {});
      port = await silent.listen();
    });
    afterEach(() => silent.close());

    it('fails when MAXTIME is over, and closes the connection that was being opened', async () => {
      const lines = openLine({ tls: {}, limits: { connections: 1 } });
      const { reason } = await failureOf(lines.call('O-HTTP', post(`127.0.0.1:${port}`), 200, noSignal()));
      expect(reason).to.equal('time');
      await silent.deserted();
      expect(silent.sockets).to.have.length(1);
      await lines.close();
    });

    it('fails when the time to connect is over', async () => {
      const lines = openLine({ tls: {}, limits: { connectSeconds: 1 } });
      const { reason } = await failureOf(lines.call('O-HTTP', post(`127.0.0.1:${port}`), undefined, noSignal()));
      expect(reason).to.equal('unreachable');
      await silent.deserted();
      await lines.close();
    });
  });

  it('refuses a service that speaks plain HTTP', async () => {
    const plain = createPlainServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const address = plain.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    expect(await reasonFor({}, `127.0.0.1:${port}`)).to.equal('tls');
    plain.close();
    await once(plain, 'close');
  });

  it('says at the start which file it cannot read', () => {
    expect(() => openLine({ tls: { ca: authority.path('missing.pem') } })).to.throw('line O-HTTP: tls.ca: cannot read');
    expect(() => openLine({ tls: { cert: authority.path('server.ext'), key: authority.path('server.key') } })).to.throw(
      'line O-HTTP: tls: not a usable certificate',
    );
  });
});
