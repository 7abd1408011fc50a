import { expect } from 'chai';
import fc from 'fast-check';
import {
  checkOutboundRequest,
  OutboundError,
  type OutboundRequest,
  outboundRequestLimits,
} from '../../../src/scenarios/outbound/outbound.js';
import { parseSite } from '../../../src/scenarios/outbound/outbound-line-definition.js';
import { failureOf, noSignal, openLine, post } from './outbound-fixture.js';
import { RawServer } from './raw-server.js';

const { pathCharacters, headers: mostHeaders, headerCharacters } = outboundRequestLimits;

describe('an outbound request', () => {
  describe('is refused before anything is sent', () => {
    let server: RawServer;
    let port: number;
    before(async () => {
      server = new RawServer(() => {});
      port = await server.listen();
    });
    after(() => server.close());

    const refused: Readonly<Record<string, Partial<OutboundRequest>>> = {
      'path with a line end': { path: '/a\r\nX-Injected: 1' },
      'path with a line feed': { path: '/a\nb' },
      'path with a blank': { path: '/a HTTP/1.1' },
      'path with a NUL': { path: '/a\0' },
      'path that is not ASCII': { path: '/é' },
      'path without slash': { path: 'a' },
      'empty path': { path: '' },
      'absolute URL as path': { path: 'http://127.0.0.1/' },
      'path with a fragment': { path: '/a#b' },
      'path over the bound': { path: `/${'a'.repeat(pathCharacters)}` },
      'method with a blank': { method: 'GET /x' },
      'empty method': { method: '' },
      'method CONNECT': { method: 'CONNECT' },
      'method in lower case': { method: 'post' },
      'header value with a line end': { headers: [['X-One', 'a\r\nX-Injected: 1']] },
      'header value with a line feed': { headers: [['X-One', 'a\nb']] },
      'header value with a NUL': { headers: [['X-One', 'a\0']] },
      'header value beyond Latin-1': { headers: [['X-One', '€']] },
      'header name with a colon': { headers: [['X-One: 1\r\nX-Two', 'a']] },
      'header name with a blank': { headers: [['X One', 'a']] },
      'empty header name': { headers: [['', 'a']] },
      'header name that is not ASCII': { headers: [['Xé', 'a']] },
      Host: { headers: [['Host', 'elsewhere:80']] },
      'Content-Length': { headers: [['content-length', '0']] },
      'Transfer-Encoding': { headers: [['Transfer-Encoding', 'chunked']] },
      Connection: { headers: [['CONNECTION', 'close']] },
      Expect: { headers: [['Expect', '100-continue']] },
      Upgrade: { headers: [['Upgrade', 'h2c']] },
      'headers over their number': { headers: Array.from({ length: mostHeaders + 1 }, () => ['X', 'a'] as const) },
      'headers over their length': { headers: [['X', 'a'.repeat(headerCharacters)]] },
    };
    for (const [what, changes] of Object.entries(refused)) {
      it(what, async () => {
        const lines = openLine();
        const failure = await failureOf(lines.call('O-HTTP', post(`127.0.0.1:${port}`, changes), 100, noSignal()));
        expect(failure.reason).to.equal('request');
        await lines.close();
        expect(server.sockets).to.deep.equal([]);
      });
    }
  });

  it('is accepted at its bounds', () => {
    const headers = Array.from({ length: mostHeaders }, () => ['X', 'a'] as const);
    const atBounds: readonly Partial<OutboundRequest>[] = [
      { path: `/${'a'.repeat(pathCharacters - 1)}` },
      { headers },
      { headers: [['X', 'a'.repeat(headerCharacters - 1)]] },
      { headers: [['X-One', 'tab\tand é']] },
      { path: '/' },
      { path: '/a?b=c&d=%0A+~!$' },
    ];
    for (const changes of atBounds) {
      expect(checkOutboundRequest(post('a:1', changes), 'here')).to.include({ path: changes.path ?? post('').path });
    }
  });

  it('never brings a line of its own, whatever path and headers are made of', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(anything, anything, anything, (path, name, value) => {
        try {
          const message = checkOutboundRequest(post('a:1', { path: `/${path}`, headers: [[name, value]] }), 'here');
          const wire = [message.path, ...message.headers].join('');
          expect([...wire].filter((character) => '\r\n\0'.includes(character))).to.deep.equal([]);
        } catch (error) {
          expect(error).to.be.instanceOf(OutboundError);
        }
      }),
    );
  });
});

describe('a site', () => {
  for (const site of ['localhost:80', 'www.webservicex.net:80', '127.0.0.1:1', '[::1]:65535', 'HOST_1.test:8080']) {
    it(`${site} is read`, () => {
      expect(parseSite(site, false)).to.deep.equal({ site, origin: `http://${site}` });
      expect(parseSite(site, true)?.origin).to.equal(`https://${site}`);
    });
  }

  const refused = [
    '',
    'localhost',
    'localhost:',
    ':80',
    'localhost:0',
    'localhost:65536',
    'localhost:080000',
    'localhost:8 0',
    'user@localhost:80',
    'localhost:80/path',
    'http://localhost:80',
    'local host:80',
    'localhost:80\r\n',
    '::1:80',
    '[::1]',
    '[::g]:80',
    '[fe80::1%eth0]:80',
    '[1.2.3.4]:80',
    '1.2.3.999:80',
    'localhost:80#',
    `${'a'.repeat(254)}:80`,
  ];
  for (const site of refused) {
    it(`${JSON.stringify(site.slice(0, 40))} is not`, async () => {
      expect(parseSite(site, false)).to.equal(undefined);
      const lines = openLine();
      expect((await failureOf(lines.call('O-HTTP', post(site), 100, noSignal()))).reason).to.equal('site');
      await lines.close();
    });
  }

  it('is needed where the line has none', async () => {
    const lines = openLine();
    const call = lines.call('O-HTTP', post('', { site: undefined }), 100, noSignal());
    expect((await failureOf(call)).reason).to.equal('site');
    await lines.close();
  });
});
