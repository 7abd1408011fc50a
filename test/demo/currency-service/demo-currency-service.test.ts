import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { XMLValidator } from 'fast-xml-parser';
import { DemoCurrencyService } from '../../../src/demo/currency-service/demo-currency-service.js';
import { silentLog } from '../../../src/lib/log/log.js';
import type { ElementNode } from '../../../src/scenarios/map/element-tree.js';
import { readXml } from '../../../src/scenarios/map/xml-document.js';
import { needCommand } from '../../support/need.js';
import { contentTypes, conversionEnvelope, postSoap, startDemo, type Version } from './demo-fixture.js';

const versions: readonly Version[] = ['1.1', '1.2'];
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'CAD', 'AUD', 'JPY'];

/** The element at a path of local names. */
function at(root: ElementNode, ...path: string[]): ElementNode {
  let element = root;
  for (const name of path) {
    const next = element.children.find((child) => child.localName === name);
    if (next === undefined) throw new Error(`no ${name} in ${element.name}`);
    element = next;
  }
  return element;
}

describe('the demo currency service', () => {
  let service: DemoCurrencyService;
  let url: string;
  let serviceUrl: string;
  before(async () => {
    ({ service, url, serviceUrl } = await startDemo());
  });
  after(() => service.stop());

  for (const version of versions) {
    describe(`by SOAP ${version}`, () => {
      it('answers EUR to USD with 0.7236 and EUR to GBP with 0.7312', async () => {
        for (const [to, rate] of Object.entries({ USD: '0.7236', GBP: '0.7312' })) {
          const response = await postSoap(serviceUrl, conversionEnvelope('EUR', to, version), version);
          expect(response.status).to.equal(200);
          expect(response.headers.get('content-type')).to.contain(contentTypes[version].split(';')[0]);
          const text = await response.text();
          expect(text).to.match(/^<\?xml version="1.0" encoding="utf-8"\?><soap:Envelope /);
          const result = at(readXml(text), 'Body', 'ConversionRateResponse', 'ConversionRateResult');
          expect(result.text).to.equal(rate);
        }
      });

      it('takes any prefix and any namespace of the operation', async () => {
        const body = conversionEnvelope('EUR', 'USD', version)
          .replaceAll('soap12', 'x')
          .replace('http://www.webserviceX.NET/', 'urn:other');
        expect((await postSoap(serviceUrl, body, version)).status).to.equal(200);
      });

      it('answers an unknown currency with a fault', async () => {
        const response = await postSoap(serviceUrl, conversionEnvelope('EUR', 'XXX', version), version);
        expect(response.status).to.equal(500);
        const fault = at(readXml(await response.text()), 'Body', 'Fault');
        const paths = {
          '1.1': { code: ['faultcode'], reason: ['faultstring'], actor: ['faultactor'], value: 'soap:Client' },
          '1.2': { code: ['Code', 'Value'], reason: ['Reason', 'Text'], actor: ['Role'], value: 'soap12:Sender' },
        } as const;
        const { code, reason, actor, value } = paths[version];
        expect(at(fault, ...code).text).to.equal(value);
        expect(at(fault, ...reason).text).to.equal('Unknown currency code XXX');
        expect(at(fault, ...actor).text).to.equal(serviceUrl);
      });

      const usual = conversionEnvelope('EUR', 'USD', version);
      const unreadable: Readonly<Record<string, string>> = {
        nothing: '',
        text: 'KO',
        'an envelope that does not end': usual.slice(0, -5),
        'text behind the envelope': `${usual}x`,
        'crossed elements': usual.replace('</ToCurrency>', '</ToCurrencies>'),
        'a document type declaration': usual.replace('?>', '?><!DOCTYPE a [<!ENTITY b "EUR">]>'),
        'an undefined entity': usual.replace('>EUR<', '>&b;<'),
        'another operation': usual.replaceAll('ConversionRate', 'DeleteEverything'),
        'the operation outside the body': usual.replaceAll('soap12:Body', 'soap12:Header'),
        'one currency': usual.replace(/<ToCurrency>.*<\/ToCurrency>/, ''),
        'three currencies': usual.replace('<ToCurrency>', '<ToCurrency>EUR</ToCurrency><ToCurrency>'),
        'an envelope without namespace': usual.replace(/xmlns:soap12="[^"]*"/, ''),
        'the envelope of the other version': conversionEnvelope('EUR', 'USD', version === '1.1' ? '1.2' : '1.1'),
        '5,000 levels': usual.replace('>EUR<', `>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}<`),
      };
      for (const [what, body] of Object.entries(unreadable)) {
        it(`answers ${what} with a fault of the client`, async () => {
          const response = await postSoap(serviceUrl, body, version);
          expect(response.status).to.equal(500);
          expect(await response.text()).to.match(/<faultcode>soap:Client<|<soap12:Value>soap12:Sender</);
        });
      }
    });
  }

  it('does not bring markup of a request into a fault', async () => {
    const response = await postSoap(serviceUrl, conversionEnvelope('EUR', '&lt;b>&amp;&quot;é'));
    expect(readXml(await response.text())).to.be.an('object');
    const plain = await fetch(`${serviceUrl}/ConversionRate?FromCurrency=%3Cb%3E%00&ToCurrency=EUR`);
    expect(await plain.text()).to.equal('Unknown currency code ?b??\n');
  });

  it('answers curl as the specification asks', async function () {
    needCommand(this, 'curl');
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-demo-'));
    const file = join(folder, 'request.xml');
    writeFileSync(file, conversionEnvelope('EUR', 'USD'));
    const options = ['-sS', '--data-binary', `@${file}`, '-H', 'Content-Type: application/soap+xml', serviceUrl];
    const { stdout } = await promisify(execFile)('curl', options, { timeout: 10_000 });
    rmSync(folder, { recursive: true });
    expect(stdout).to.contain('<ConversionRateResult>0.7236</ConversionRateResult>');
  });

  describe('by plain HTTP', () => {
    it('answers GET', async () => {
      const response = await fetch(`${serviceUrl}/ConversionRate?FromCurrency=EUR&ToCurrency=USD`);
      expect(response.headers.get('content-type')).to.contain('text/xml');
      const root = readXml(await response.text());
      expect([root.name, root.text]).to.deep.equal(['double', '0.7236']);
    });

    it('answers POST of a form', async () => {
      const body = new URLSearchParams({ FromCurrency: 'EUR', ToCurrency: 'GBP' });
      const response = await fetch(`${serviceUrl}/ConversionRate`, { method: 'POST', body });
      expect(readXml(await response.text()).text).to.equal('0.7312');
    });

    it('refuses unknown and missing currencies', async () => {
      for (const query of [
        'FromCurrency=EUR&ToCurrency=XXX',
        'FromCurrency=EUR',
        'FromCurrency=toString&ToCurrency=EUR',
        '',
      ]) {
        expect((await fetch(`${serviceUrl}/ConversionRate?${query}`)).status).to.equal(500);
      }
    });

    it('prints every rate in at most 6 characters of plain decimal notation, the way back its inverse', async () => {
      const rate = async (from: string, to: string) => {
        const response = await fetch(`${serviceUrl}/ConversionRate?FromCurrency=${from}&ToCurrency=${to}`);
        const { text } = readXml(await response.text());
        expect(text, `${from} to ${to}`).to.match(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
        expect(text.length).to.be.within(1, 6);
        return Number(text);
      };
      for (const [index, from] of currencies.entries()) {
        expect(await rate(from, from)).to.equal(1);
        for (const to of currencies.slice(index + 1)) {
          // the smaller of the two has two significant digits at least: half a unit of them is 5 %
          expect((await rate(from, to)) * (await rate(to, from)), `${from} and ${to}`).to.be.closeTo(1, 0.05);
        }
      }
    });
  });

  describe('describes itself', () => {
    it('with four bindings at its own address', async () => {
      const text = await (await fetch(`${serviceUrl}?WSDL`)).text();
      expect(XMLValidator.validate(text)).to.equal(true);
      const definitions = readXml(text);
      expect(definitions.name).to.equal('wsdl:definitions');
      const ports = at(definitions, 'service').children;
      expect(ports.map((port) => port.children[0]?.name)).to.deep.equal([
        'soap:address',
        'soap12:address',
        'http:address',
        'http:address',
      ]);
      expect(ports.map((port) => port.children[0]?.attributes.get('location'))).to.deep.equal(
        ports.map(() => serviceUrl),
      );
    });

    it('whose references all lead somewhere', async () => {
      const definitions = readXml(await (await fetch(`${serviceUrl}?wsdl`)).text());
      const names = (kind: string) =>
        definitions.children
          .filter((child) => child.localName === kind)
          .map((child) => `tns:${child.attributes.get('name')}`);
      const references = (element: ElementNode, attribute: string): string[] => [
        ...(element.attributes.has(attribute) ? [element.attributes.get(attribute) ?? ''] : []),
        ...element.children.flatMap((child) => references(child, attribute)),
      ];
      const messages = references(definitions, 'message');
      const bindings = references(definitions, 'binding');
      expect(messages.length).to.be.greaterThan(0);
      expect(names('message')).to.include.members(messages);
      expect(bindings).to.have.length(4);
      expect(names('binding')).to.include.members(bindings);
      const bound = definitions.children.filter((child) => child.localName === 'binding');
      expect(names('portType')).to.include.members(bound.map((child) => child.attributes.get('type') ?? ''));
    });
  });

  describe('refuses', () => {
    it('methods, with those that are allowed', async () => {
      for (const [path, method, allowed] of [
        ['/CurrencyConvertor.asmx', 'PUT', 'GET, POST'],
        ['/CurrencyConvertor.asmx/ConversionRate', 'DELETE', 'GET, POST'],
        ['/', 'POST', 'GET'],
      ]) {
        const response = await fetch(`${url}${path}`, { method: method ?? '' });
        expect([response.status, response.headers.get('allow')]).to.deep.equal([405, allowed]);
      }
    });

    it('paths it does not have', async () => {
      for (const path of ['/x', '/CurrencyConvertor.asmx/', '/CurrencyConvertor.asmx', '/__proto__', '/demo/x']) {
        expect((await fetch(`${url}${path}`)).status, path).to.equal(404);
      }
    });

    it('content types that are of no SOAP version, and no form', async () => {
      const headers = { 'Content-Type': 'application/json' };
      expect((await fetch(serviceUrl, { method: 'POST', headers, body: '{}' })).status).to.equal(415);
      const plain = `${serviceUrl}/ConversionRate`;
      expect((await fetch(plain, { method: 'POST', headers, body: '{}' })).status).to.equal(415);
    });

    it('requests over 64 KiB', async () => {
      const envelope = conversionEnvelope('EUR', 'USD');
      const padded = (length: number) => envelope + ' '.repeat(length - envelope.length);
      expect((await postSoap(serviceUrl, padded(65_536))).status).to.equal(200);
      expect((await postSoap(serviceUrl, padded(65_537))).status).to.equal(413);
    });
  });

  it('rejects a start on a port that is taken', async () => {
    const second = new DemoCurrencyService({ host: '127.0.0.1', port: Number(new URL(url).port), log: silentLog });
    const error: unknown = await second.start().catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'EADDRINUSE');
    await second.stop();
  });
});
