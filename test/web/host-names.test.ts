import { request } from 'node:https';
import { expect } from 'chai';
import { portOf } from '../lines/listener/definition.js';
import { exchange, statusOf } from '../lines/listener/raw-connection.js';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { makeCertificate } from '../support/certificate.js';
import { needCommand } from '../support/need.js';

describe('names of a line', () => {
  let site: SessionSite;
  let open: SessionSite;

  before(async () => {
    site = await startSessionSite({ line: "hostNames: [Rates.Example, rates, '[2001:db8::1]']" });
    open = await startSessionSite();
  });
  after(async () => {
    await site.stop();
    await open.stop();
  });

  const get = (host: string | undefined, target = '/LOGON.HTML+CLEAR', at = site) =>
    exchange(
      portOf(at.url),
      `GET ${target} HTTP/1.${host === undefined ? '0' : '1'}\r\n${host === undefined ? '' : `Host: ${host}\r\n`}Connection: close\r\n\r\n`,
    );

  for (const host of [
    'rates.example',
    'RATES.example:443',
    'rates.example.:80',
    'rates',
    'rates:',
    '[2001:DB8::1]:41002',
    '127.0.0.1',
    '127.0.0.1:41002',
    'localhost:41002',
    'LOCALHOST',
  ]) {
    it(`serves ${host}`, async () => expect(statusOf(await get(host))).to.equal(200));
  }

  for (const host of [
    'evil.example',
    'rates.example.evil.example',
    'evil.rates.example',
    'xrates',
    '127.0.0.2',
    '127.1',
    '[::1]',
    'localhost.evil.example',
    'rates.example@evil.example',
    'rates.example evil.example',
    'rates.example:80:80',
    '',
    undefined,
  ]) {
    it(`answers ${host ?? 'no name'} with 421, and begins nothing`, async () => {
      const before = site.log().split('session').length;
      const answer = await get(host);
      expect(statusOf(answer)).to.equal(421);
      expect(answer).to.include('This host name is not served here.').and.not.include('Set-Cookie');
      if (host !== undefined && host !== '') expect(answer).to.not.include(host);
      expect(site.log().split('session').length).to.equal(before);
    });
  }

  it('looks at the name in the target, too', async () => {
    expect(statusOf(await get('rates', 'http://rates.example/'))).to.equal(404);
    expect(statusOf(await get('rates', 'http://evil.example/'))).to.equal(421);
    expect(statusOf(await get('evil.example', 'http://rates.example/'))).to.equal(421);
  });

  it('are those of WebSockets, too', async () => {
    const upgrade = (host: string) =>
      exchange(
        portOf(site.url),
        `GET /w2h/LOGON.HTML++SvcSession=x HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      );
    expect(statusOf(await upgrade('evil.example'))).to.equal(421);
    expect(statusOf(await upgrade('rates.example'))).to.equal(404);
  });

  it('are any where none are configured', async () => {
    for (const host of ['evil.example', undefined]) {
      expect(statusOf(await get(host, '/LOGON.HTML+CLEAR', open))).to.equal(200);
    }
    expect(open.log()).to.not.match(/hostNames/);
  });
});

describe('Strict-Transport-Security', () => {
  async function headersOf(tls: string, path: string): Promise<Record<string, unknown>> {
    const { cert, key } = makeCertificate();
    const site = await startSessionSite({ line: `tls: { cert: '${cert}', key: '${key}'${tls} }` });
    try {
      return await new Promise((resolve, reject) => {
        request(site.url + path, { rejectUnauthorized: false, agent: false }, (response) => {
          response.resume().once('end', () => resolve(response.headers));
        })
          .on('error', reject)
          .end();
      });
    } finally {
      await site.stop();
    }
  }

  for (const path of ['/LOGON.HTML+CLEAR', '/NONE.HTML', '/w2h/terminal.js']) {
    it(`is said on every answer where it is configured: ${path}`, async function () {
      needCommand(this, 'openssl');
      const headers = await headersOf(', hstsSeconds: 31536000', path);
      expect(headers['strict-transport-security']).to.equal('max-age=31536000');
    });
  }

  it('is said with 0 where it is to be taken back, and not at all without the key', async function () {
    needCommand(this, 'openssl');
    expect((await headersOf(', hstsSeconds: 0', '/NONE.HTML'))['strict-transport-security']).to.equal('max-age=0');
    expect(await headersOf('', '/NONE.HTML')).to.not.have.property('strict-transport-security');
  });
});
