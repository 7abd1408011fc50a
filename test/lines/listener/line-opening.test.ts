import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { silentLog } from '../../../src/lib/log/log.js';
import { LineOpeningError } from '../../../src/lines/listener/line-opening-error.js';
import { makeCertificate } from '../../support/certificate.js';
import { need, needCommand } from '../../support/need.js';
import { portOf } from './definition.js';
import { hello, openedLines, simpleGet } from './opened-lines.js';
import { exchange, RawConnection } from './raw-connection.js';
import { recordingLog } from './recording-log.js';

describe('opening an InboundLine', () => {
  const { open, make, bodyOf } = openedLines();

  describe('addresses', () => {
    it('listens on an IPv4 address and says where', async () => {
      const line = await open();
      expect(line.state).to.equal('listening');
      expect(line.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(await bodyOf(line.url)).to.equal('hello');
    });

    it('listens on an IPv6 address, in brackets in its URL', async function () {
      const ipv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
      need(this, ipv6, 'the machine has no IPv6');
      const line = await open({ host: '::1' });
      expect(line.url).to.match(/^http:\/\/\[::1\]:\d+$/);
      expect(await bodyOf(line.url)).to.equal('hello');
    });

    it('listens on a host name', async () => {
      const line = await open({ host: 'localhost' });
      expect(line.url).to.match(/^http:\/\/localhost:\d+$/);
      expect(await bodyOf(line.url)).to.equal('hello');
    });

    it('listens on all addresses', async () => {
      const line = await open({ host: undefined });
      expect(await bodyOf(`http://127.0.0.1:${portOf(line.url)}`)).to.equal('hello');
      expect(await bodyOf(line.url)).to.equal('hello');
    });
  });

  describe('opening', () => {
    it('goes on trying while the port is taken, and listens once it is free', async () => {
      const blocker = createServer().listen(0, '127.0.0.1');
      await once(blocker, 'listening');
      const { port } = blocker.address() as { port: number };
      const { log, lines: logged } = recordingLog();
      const line = make({ port }, hello, log, [20]);
      await line.start();
      expect(line.state).to.equal('opening');
      const warning = logged.find(({ level }) => level === 40);
      expect(warning).to.include({ line: 'C-HTTP', nextTryMilliseconds: 20 });
      expect(warning?.reason).to.contain(`127.0.0.1:${port}`).and.contain('taken');
      blocker.close();
      await line.start({ untilListening: true });
      expect(line.state).to.equal('listening');
      expect(await bodyOf(`http://127.0.0.1:${port}`)).to.equal('hello');
    });

    it('goes on trying while the machine lacks the address', async () => {
      // 192.0.2.0/24 is nobody's (RFC 5737)
      const line = make({ host: '192.0.2.1' }, hello, silentLog, [60_000]);
      await line.start();
      expect(line.state).to.equal('opening');
      await line.stop(0);
      expect(line.state).to.equal('closed');
    });

    it('fails at once where trying again is of no use', async () => {
      const line = make({ tls: { cert: '/nowhere/cert.pem', key: '/nowhere/key.pem' } });
      const error = await line.start().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(LineOpeningError);
      expect((error as Error).message)
        .to.contain('C-HTTP')
        .and.contain('/nowhere/cert.pem');
      expect(line.state).to.equal('failed');
      expect(line.url).to.match(/^https:/);
    });

    it('rejects a start that a stop overtakes', async () => {
      const blocker = createServer().listen(0, '127.0.0.1');
      await once(blocker, 'listening');
      const { port } = blocker.address() as { port: number };
      const line = make({ port }, hello, silentLog, [60_000]);
      const started = line.start({ untilListening: true }).then(
        () => 'resolved',
        (error: Error) => error.name,
      );
      await line.start();
      await line.stop(0);
      expect(await started).to.equal('LineOpeningError');
      blocker.close();
    });

    it('opens again after it was closed', async () => {
      const line = await open();
      await line.stop(0);
      expect(line.state).to.equal('closed');
      await line.start();
      expect(await bodyOf(line.url)).to.equal('hello');
    });
  });

  describe('TLS', () => {
    it('serves with the certificate of its files', async function () {
      needCommand(this, 'openssl');
      const tls = makeCertificate();
      const line = await open({ tls });
      expect(line.url).to.match(/^https:/);
      const request = getOverTls(line.url, { rejectUnauthorized: false, agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).to.equal(200);
      response.resume();
      await once(response, 'end');
    });

    it('says which files cannot be used', async function () {
      needCommand(this, 'openssl');
      const tls = makeCertificate();
      writeFileSync(tls.key, 'no key at all');
      const line = make({ tls });
      const error = await line.start().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect((error as Error).message)
        .to.contain(tls.cert)
        .and.contain(tls.key)
        .and.contain('cannot be used');
    });

    it('cuts off a connection over the limit without a word', async function () {
      needCommand(this, 'openssl');
      const line = await open({ tls: makeCertificate(), limits: { connections: 1 } });
      const first = connectTls({ port: portOf(line.url), host: '127.0.0.1', rejectUnauthorized: false });
      await once(first, 'secureConnect');
      const second = await RawConnection.open(portOf(line.url));
      expect(await second.untilClosed()).to.equal('');
      first.destroy();
    });

    it('says in the log that TLS came to a clear line, and closes', async () => {
      const { log, lines: logged } = recordingLog();
      const line = await open({}, hello, log);
      // a TLS 1.2 record header with the beginning of a client hello (RFC 8446 section 5.1)
      expect(await exchange(portOf(line.url), Buffer.from('16030102000100', 'hex'))).to.equal('');
      expect(logged.filter(({ level }) => level === 40).map(({ msg }) => msg)).to.deep.equal([
        'TLS bytes on a line without TLS',
      ]);
    });

    for (const [cipher, isTaken] of [
      ['ECDHE-RSA-AES128-GCM-SHA256', true],
      // key exchange by static RSA (RFC 5288, RFC 5246)
      ['AES128-GCM-SHA256', false],
      ['AES256-SHA', false],
    ] as const) {
      it(`${isTaken ? 'takes' : 'refuses'} ${cipher}`, async function () {
        needCommand(this, 'openssl');
        const line = await open({ tls: makeCertificate('rsa') });
        const [host, port] = ['127.0.0.1', portOf(line.url)];
        const client = connectTls({ host, port, rejectUnauthorized: false, ciphers: cipher, maxVersion: 'TLSv1.2' });
        const outcome = await new Promise((resolve) => {
          client.once('secureConnect', () => resolve(client.getCipher().name));
          client.once('error', ({ message }) => resolve(message));
        });
        client.destroy();
        if (isTaken) expect(outcome).to.equal(cipher);
        else expect(outcome).to.match(/handshake failure/);
      });
    }

    it('survives clear text on a TLS line', async function () {
      needCommand(this, 'openssl');
      const line = await open({ tls: makeCertificate() });
      await exchange(portOf(line.url), simpleGet);
      expect(line.state).to.equal('listening');
    });
  });
});
