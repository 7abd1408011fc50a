import { expect } from 'chai';
import type { ScenarioRequest } from '../../src/scenarios/scenario-outcome.js';
import { exchange, statusOf } from '../lines/listener/raw-connection.js';
import { type ClientLine, openClientLine } from './client-line.js';

const FORM = 'application/x-www-form-urlencoded';
const MOST_BYTES = 100;

describe('bodies of forms', () => {
  let line: ClientLine;
  let seen: ScenarioRequest | undefined;

  beforeEach(async () => {
    seen = undefined;
    line = await openClientLine({
      limits: { bodyBytes: MOST_BYTES },
      runScenario: async (_transaction, request) => {
        seen = request;
        return {
          kind: 'answer',
          contentType: 'text/plain',
          body: Buffer.from('x'),
          expires: 'immediately',
          fileName: undefined,
        };
      },
    });
  });

  afterEach(() => line.line.stop(0));

  function post(body: Buffer, headers = `Content-Type: ${FORM}\r\n`): Promise<string> {
    const head = `POST /WS1.HTML+WS3?A=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: application/json\r\n${headers}`;
    return exchange(line.port, Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  it('keep the order of their fields, and of the values of each', async () => {
    await post(Buffer.from('B=1&A=2&B=3&C=%C3%A4+%2B'));
    expect([...(seen?.parameters ?? [])]).to.deep.equal([
      ['A', ['0', '2']],
      ['B', ['1', '3']],
      ['C', ['ä +']],
    ]);
  });

  it('stay as they came for who reads them raw', async () => {
    const body = Buffer.from('A=\u00e4&B=%7A&&=');
    await post(body);
    expect(seen?.body).to.deep.equal(body);
  });

  for (const type of [FORM, `${FORM};charset=utf-8`, `${FORM.toUpperCase()}`, `${FORM}; =broken`, 'text/plain']) {
    it(`are taken at the bound, and not one byte more: ${type}`, async () => {
      const body = Buffer.alloc(MOST_BYTES + 1, 'a');
      const atBound = await post(body.subarray(1), `Content-Type: ${type}\r\n`);
      expect(statusOf(atBound)).to.equal(200);
      const past = await post(body, `Content-Type: ${type}\r\n`);
      expect(statusOf(past)).to.equal(413);
      expect(past).to.include('SVC_ERR_REQUEST_BODY_SIZE').and.to.include(`The maximum is ${MOST_BYTES} bytes.`);
    });

    it(`are taken at the bound in chunks, and not one byte more: ${type}`, async () => {
      const chunked = (bytes: number) => {
        const headers = `Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\nAccept: application/json\r\n`;
        const chunk = `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n`;
        return exchange(line.port, `POST /WS1.HTML+WS3 HTTP/1.1\r\nHost: x\r\n${headers}\r\n${chunk}0\r\n\r\n`);
      };
      expect(statusOf(await chunked(MOST_BYTES))).to.equal(200);
      expect(seen?.body?.length).to.equal(MOST_BYTES);
      expect(await chunked(MOST_BYTES + 1)).to.include('SVC_ERR_REQUEST_BODY_SIZE');
    });
  }

  for (const [language, title, words] of [
    ['de', 'Der Inhalt der Anfrage ist zu groß.', 'Erlaubt sind höchstens 100 Bytes.'],
    ['fr', 'Le contenu de la requête est trop volumineux.', 'Le maximum est de 100 octets.'],
  ] as const) {
    it(`are refused on a page in the language of the user: ${language}`, async () => {
      const answer = await fetch(`http://127.0.0.1:${line.port}/WS1.HTML+WS3`, {
        method: 'POST',
        headers: { 'Content-Type': FORM, Accept: 'text/html', 'Accept-Language': language },
        body: Buffer.alloc(MOST_BYTES + 1, 'a'),
      });
      expect(answer.status).to.equal(413);
      const page = await answer.text();
      expect(page).to.include(`<html lang="${language}">`).and.include(`<p>${title} ${words}</p>`);
    });
  }

  it('are not inflated', async () => {
    const answer = await post(Buffer.from('1f8b', 'hex'), `Content-Type: ${FORM}\r\nContent-Encoding: gzip\r\n`);
    expect(statusOf(answer)).to.equal(415);
    expect(seen).to.equal(undefined);
  });
});
