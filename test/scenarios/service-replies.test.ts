import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type LogLine, recordingLog } from '../lines/listener/recording-log.js';
import { eventually } from '../support/eventually.js';
import { type RunningSite, startSite } from '../support/site.js';
import { RawServer, response } from './outbound/raw-server.js';

const REQUEST = '/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD';
const KO_RECORD = `1${' '.repeat(96)}`;
/** What a character without a place in the record's code page, IBM1147, becomes: EBCDIC's SUB in ASCII. */
const SUB = '\u001a';

function envelope(inside: string): string {
  return `<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>${inside}</soap:Body></soap:Envelope>`;
}

function rate(value: string, beside = ''): string {
  return envelope(`<R>${beside}<ConversionRateResult>${value}</ConversionRateResult></R>`);
}

function fault(text: string): string {
  return envelope(`<Fault><faultcode>c</faultcode><faultstring>${text}</faultstring></Fault>`);
}

function faultRecord(text: string): string {
  return `1${'c'.padEnd(32)}${text}${' '.repeat(32 - [...text].length)}${' '.repeat(32)}`;
}

/** The shipped scenario against services that send exactly these bytes. */
describe('replies of a service', () => {
  let reply = '';
  let site: RunningSite;
  let logged: LogLine[];
  const service = new RawServer((socket) => socket.write(reply));

  before(async () => {
    const { log, lines } = recordingLog();
    logged = lines;
    site = await startSite({ service: `127.0.0.1:${await service.listen()}`, maxTime: 1000, log });
  });

  after(async () => {
    await site.stop();
    await service.close();
  });

  async function recordOf(body: string, ...headers: string[]): Promise<string> {
    reply = response(body, 'HTTP/1.1 200 OK', ...headers);
    const answer = await fetch(site.url + REQUEST);
    expect(answer.status).to.equal(200);
    return answer.text();
  }

  for (const [value, record, fault] of [
    ['7.236E-05', '00.0000', undefined],
    ['0.7236', '00.7236', undefined],
    ['1234567.8', '0123456', 'integerDigitsCut'],
    ['about 1', '0about ', 'notNumeric'],
  ] as const) {
    it(`give ${record} for the rate ${value}, ${fault === undefined ? 'without a word' : 'with a warning'}`, async () => {
      logged.length = 0;
      expect(await recordOf(rate(value))).to.equal(record);
      const warnings = logged.filter((line) => 'fault' in line);
      expect(
        warnings.map(({ level, module, element, length, fault: logged }) => ({
          level,
          module,
          element,
          length,
          fault: logged,
        })),
      ).to.deep.equal(
        fault === undefined
          ? []
          : [{ level: 40, module: 'SCENRATE', element: 'ConversionRateResult', length: 6, fault }],
      );
      expect(JSON.stringify(warnings)).not.to.contain(value);
    });
  }

  it('give an error record, and one log line with the status, if the service refuses', async () => {
    logged.length = 0;
    reply = response('gone', 'HTTP/1.1 404 Not Found');
    expect(await (await fetch(site.url + REQUEST)).text()).to.equal(KO_RECORD);
    const lines = logged.filter((line) => line.module === 'SCENRATE' && line.status !== undefined);
    expect(lines.map(({ msg, outboundLine, status }) => ({ msg, outboundLine, status }))).to.deep.equal([
      { msg: 'outbound call answered with an error status', outboundLine: 'O-HTTP', status: 404 },
    ]);
  });

  it('are not requested if the file of the request is missing: the log names the file', async () => {
    const file = join(site.folder, 'templates/scenarios/SCENRATE.scn');
    const source = readFileSync(file, 'utf8');
    const assembleAgain = async (text: string) => {
      logged.length = 0;
      writeFileSync(file, text);
      await eventually(() => logged.find(({ msg, module }) => msg === 'scenario assembled' && module === 'SCENRATE'));
    };
    await assembleAgain(source.replace('EXCHANGE.XML', 'NOPE.XML'));
    expect(await (await fetch(site.url + REQUEST)).text()).to.equal(KO_RECORD);
    expect(logged.find(({ file }) => file === 'NOPE.XML')).to.include({
      level: 50,
      module: 'SCENRATE',
      msg: 'the template storage has no such file',
    });
    expect(logged.find(({ msg }) => msg === 'outbound call failed')).to.include({
      reason: 'the variable REQFILE with the request does not exist',
    });
    await assembleAgain(source);
  });

  for (const [what, body] of [
    ['a byte order mark before the envelope', `\ufeff${rate('0.7236')}`],
    ['a byte order mark before the XML declaration', `\ufeff<?xml version="1.0" encoding="utf-8"?>${rate('0.7236')}`],
    ['a typographic apostrophe in a comment', rate('0.7236', '<!-- today’s rate — of the bank -->')],
    ['an ideograph in another element', rate('0.7236', '<Country>日本</Country>')],
    ['an ideograph as the name of an element', rate('0.7236', '<国>x</国>')],
    ['an emoji in an attribute', rate('0.7236', '<Country flag="🇪🇺"/>')],
  ] as const) {
    it(`give their rate with ${what}`, async () => {
      expect(await recordOf(body)).to.equal('00.7236');
    });
  }

  for (const [what, text, mapped] of [
    ['an apostrophe', 'the bank’s closed', `the bank${SUB}s closed`],
    ['a dash', 'closed — come back', `closed ${SUB} come back`],
    ['an ideograph', '日', SUB],
    ['a character of two UTF-16 units', 'a𝄞b', `a${SUB}b`],
    ['a numeric reference', 'a&#8217;b', `a${SUB}b`],
    ['characters that the code page has', 'déjà 5 €', 'déjà 5 €'],
  ] as const) {
    it(`give a fault text of 32 characters with ${what}`, async () => {
      expect(await recordOf(fault(text))).to.equal(faultRecord(mapped));
    });
  }

  it('may hold a script in a fault text: no browser runs it', async () => {
    const script = '<script src="//x.example/"></script>';
    reply = response(fault(`<![CDATA[${script}]]>`));
    const answer = await fetch(site.url + REQUEST);
    expect(await answer.text()).to.contain(script.slice(0, 32));
    expect(answer.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
  });

  it('are logged with the reason, and nothing of them, where they cannot be read', async () => {
    for (const [body, reason] of [
      ['<Envelope><secretname>hidden</other></Envelope>', /unexpected close tag$/],
      ['<Envelope><secretname>', /unclosed tag$/],
      ['<!DOCTYPE secretname><Envelope/>', /document type declaration/],
      ['hidden', /text data outside of root node|root element/],
    ] as const) {
      logged.length = 0;
      expect(await recordOf(body)).to.equal(KO_RECORD);
      const lines = logged.filter(({ msg }) => String(msg).startsWith('document could not be read'));
      expect(lines, body).to.have.length(1);
      expect(lines[0]).to.include({ level: 40, module: 'SCENRATE', document: 'ANSWER', format: 'XML' });
      expect(lines[0]?.reason).to.match(reason);
      expect(JSON.stringify(logged)).not.to.match(/secretname|hidden/);
    }
  });
});
