import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { readPemFile } from '../../../src/config/read-pem-file.js';
import type { DemoCurrencyService } from '../../../src/demo/currency-service/demo-currency-service.js';
import { readXml, XmlError } from '../../../src/scenarios/map/xml-document.js';
import { OutboundError } from '../../../src/scenarios/outbound/outbound.js';
import { OutboundLines } from '../../../src/scenarios/outbound/outbound-line.js';
import { conversionEnvelope, postSoap, startDemo, type Version } from './demo-fixture.js';

describe('the demo currency service, told to fail', () => {
  let service: DemoCurrencyService;
  let url: string;
  let serviceUrl: string;
  let lines: OutboundLines;
  beforeEach(async () => {
    ({ service, url, serviceUrl } = await startDemo());
    const limits = {
      connections: 4,
      queuedRequests: 4,
      connectSeconds: 5,
      replyBytes: 1024 * 1024,
      replyHeaderBytes: 16_384,
    };
    lines = new OutboundLines([{ name: 'O', externalName: 'O', site: undefined, tls: undefined, limits }], readPemFile);
  });
  afterEach(async () => {
    await lines.close(0);
    await service.stop();
  });

  /** What a scenario would meet: a status, the reason of a failed call, or that the reply cannot be read as XML. */
  async function outcome(query = '', maxTime = 5000): Promise<string> {
    const request = {
      method: 'POST',
      site: new URL(url).host,
      path: `/CurrencyConvertor.asmx${query}`,
      headers: [['Content-Type', 'application/soap+xml']] as const,
      body: Buffer.from(conversionEnvelope('EUR', 'USD')),
    };
    try {
      const { status, body } = await lines.call('O', request, maxTime, new AbortController().signal);
      if (status === 302 || status === 404) return String(status);
      return `${status} ${readXml(body.toString()).name}`;
    } catch (error) {
      if (error instanceof OutboundError) return error.reason;
      if (error instanceof XmlError) return `no XML: ${error.reason}`;
      throw error;
    }
  }

  const outcomes: Readonly<Record<string, RegExp>> = {
    none: /^200 soap:Envelope$/,
    fault: /^500 soap12:Envelope$/,
    reset: /^reply broken$/,
    oversize: /^reply size$/,
    'not-xml': /^no XML: /,
    redirect: /^302$/,
    'not-found': /^404$/,
    'entity-bomb': /^no XML: a document type declaration/,
    'depth-bomb': /^no XML: elements nested deeper than 64/,
  };

  for (const [failure, expected] of Object.entries(outcomes)) {
    it(`${failure}, for one request by its query`, async () => {
      expect(await outcome(`?failure=${failure}`)).to.match(expected);
      expect(await outcome()).to.equal('200 soap:Envelope');
    });

    it(`${failure}, until told otherwise`, async () => {
      expect((await fetch(`${url}/demo?failure=${failure}`, { method: 'POST' })).status).to.equal(200);
      expect(await outcome()).to.match(expected);
      expect(await outcome()).to.match(expected);
      await fetch(`${url}/demo?failure=none`, { method: 'POST' });
      expect(await outcome()).to.equal('200 soap:Envelope');
    });
  }

  it('silent: nothing comes, and the service stops all the same', async () => {
    expect(await outcome('?failure=silent', 100)).to.equal('time');
    const silent = postSoap(`${serviceUrl}?failure=silent`, conversionEnvelope('EUR', 'USD')).catch(() => 'ended');
    expect(await outcome()).to.equal('200 soap:Envelope');
    await service.stop();
    expect(await silent).to.equal('ended');
  });

  it('for one request by its header', async () => {
    const headers = { 'X-Demo-Failure': 'not-found' };
    expect((await postSoap(serviceUrl, conversionEnvelope('EUR', 'USD'), '1.2', headers)).status).to.equal(404);
    expect((await postSoap(serviceUrl, conversionEnvelope('EUR', 'USD'))).status).to.equal(200);
  });

  it('what it sends is what it says: 3 MiB, nested entities, 10,000 levels', async () => {
    const sent = async (failure: string) =>
      (await postSoap(`${serviceUrl}?failure=${failure}`, conversionEnvelope('EUR', 'USD'))).text();
    expect((await sent('oversize')).length).to.be.at.least(3 * 1024 * 1024);
    expect((await sent('entity-bomb')).match(/<!ENTITY /g)).to.have.length(10);
    expect((await sent('depth-bomb')).match(/<a>/g)).to.have.length(10_000);
  });

  it('fault is one of the service, in the version that was asked', async () => {
    const codes: Readonly<Record<Version, string>> = { '1.1': '>soap:Server<', '1.2': '>soap12:Receiver<' };
    for (const version of ['1.1', '1.2'] as const) {
      const body = conversionEnvelope('EUR', 'USD', version);
      const response = await postSoap(`${serviceUrl}?failure=fault`, body, version);
      expect(response.status).to.equal(500);
      expect(await response.text()).to.contain(codes[version]);
    }
    expect((await fetch(`${serviceUrl}/ConversionRate?FromCurrency=EUR&ToCurrency=USD&failure=fault`)).status).to.equal(
      500,
    );
  });

  it('delayed', async () => {
    const begin = performance.now();
    expect(await outcome('?delay=100')).to.equal('200 soap:Envelope');
    expect(performance.now() - begin).to.be.at.least(98);
    expect(await outcome('?delay=60000', 50)).to.equal('time');
  });

  describe('settings', () => {
    const settings = async () => (await fetch(`${url}/demo`)).json();
    const change = (query: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}/demo${query}`, { method: 'POST', headers, redirect: 'manual' });

    it('are shown as JSON', async () => {
      expect(await settings()).to.deep.equal({ failure: 'none', delayMilliseconds: 0 });
      const changed = await change('?failure=reset&delay=3000');
      const expected = { failure: 'reset', delayMilliseconds: 3000 };
      expect(await changed.json()).to.deep.equal(expected);
      expect(await settings()).to.deep.equal(expected);
    });

    it('change one at a time', async () => {
      await change('?failure=fault');
      await change('?delay=5');
      expect(await settings()).to.deep.equal({ failure: 'fault', delayMilliseconds: 5 });
    });

    it('change by a form, and lead a browser back to the page', async () => {
      const body = new URLSearchParams({ failure: 'redirect', delay: '7' });
      const headers = { Accept: 'text/html,*/*', Origin: url };
      const response = await fetch(`${url}/demo`, { method: 'POST', headers, body, redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).to.deep.equal([303, '/']);
      expect(await settings()).to.deep.equal({ failure: 'redirect', delayMilliseconds: 7 });
    });

    it('take a delay of 60,000 ms and not one more', async () => {
      expect((await change('?delay=60000')).status).to.equal(200);
      expect((await change('?delay=60001')).status).to.equal(400);
      expect(await settings()).to.include({ delayMilliseconds: 60_000 });
    });

    for (const query of [
      '?failure=explode',
      '?failure=',
      '?failure=toString',
      '?delay=-1',
      '?delay=1.5',
      '?delay=',
      '?delay=1e3',
    ]) {
      it(`refuse ${query} and stay as they are`, async () => {
        const response = await change(query);
        expect(response.status).to.equal(400);
        expect(await response.json())
          .to.have.property('failures')
          .that.includes('entity-bomb');
        expect(await settings()).to.deep.equal({ failure: 'none', delayMilliseconds: 0 });
        expect((await postSoap(`${serviceUrl}${query}`, conversionEnvelope('EUR', 'USD'))).status).to.equal(400);
      });
    }

    for (const origin of ['http://elsewhere.test', 'null', 'https://127.0.0.1']) {
      it(`refuse a change from ${origin}`, async () => {
        expect((await change('?failure=reset', { Origin: origin })).status).to.equal(403);
        expect(await settings()).to.include({ failure: 'none' });
      });
    }

    for (const [name, value] of [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Referer', 'http://elsewhere.test/page'],
      ['Host', 'elsewhere.test'],
    ] as const) {
      it(`refuse a change that a page of another site makes: ${name}`, async () => {
        const sent = request(`${url}/demo?failure=reset`, { method: 'POST', headers: { [name]: value } }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        expect(response.statusCode).to.equal(403);
        expect(await settings()).to.include({ failure: 'none' });
      });
    }
  });

  it('shows a page with what is set', async () => {
    await fetch(`${url}/demo?failure=not-xml&delay=12`, { method: 'POST' });
    const response = await fetch(`${url}/`);
    expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).to.contain("default-src 'none'");
    const page = await response.text();
    expect(page).to.match(/^<!doctype html>\n<html lang="en">/);
    expect(page).to.contain('<option value="not-xml" selected>').and.contain('value="12"');
    expect(page.match(/<option value="[^"]*" selected>/g)).to.have.length(1);
    for (const id of ['failure', 'delay']) expect(page).to.contain(`<label for="${id}">`).and.contain(`id="${id}"`);
  });
});
