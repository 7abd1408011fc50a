import { join } from 'node:path';
import { expect } from 'chai';
import type { ScenarioOutcome } from '../../src/scenarios/scenario-outcome.js';
import { portalRoutes } from '../../src/web/routes.js';
import { startDemo } from '../demo/currency-service/demo-fixture.js';
import { exchange } from '../lines/listener/raw-connection.js';
import { ADMINISTRATOR, ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';
import { type ClientLine, type ClientLineOptions, openClientLine, templatePage, transaction } from './client-line.js';

const portOf = (url: string) => Number(new URL(url).port);
const request = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const statusLine = (answer: string) => answer.slice(0, answer.indexOf('\r\n'));

/** Requests that no parser takes, or that are refused before they are looked at. */
const strangeRequests = {
  'no HTTP': 'hello\r\n\r\n',
  'another version': 'GET / HTTP/7.3\r\n\r\n',
  'no Host': 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
  'two lengths': request('POST /', 'Content-Length: 1', 'Content-Length: 2'),
  'headers without end': request('GET /', ...Array.from({ length: 3_000 }, (_, at) => `X-${at}: ${'x'.repeat(90)}`)),
  'an overlong path': request(`GET /${'x'.repeat(20_000)}`),
  'an expectation': request('GET /', 'Expect: something'),
  tunnel: request('CONNECT x:1'),
  'an upgrade that fails': request('GET /', 'Upgrade: websocket', 'Connection: upgrade'),
};

describe('headers of answers', () => {
  describe('X-Content-Type-Options: nosniff', () => {
    let site: PortalSite;
    let demo: Awaited<ReturnType<typeof startDemo>>;

    before(async () => {
      demo = await startDemo();
      site = await startPortalSite({
        transactions: `
      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }
      WS3: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: SCENRATE }
      WS4: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: SCENPAGE }
      EXT: { applicationType: 3 }
      BASIC: { applicationType: 2, security: 1 }`,
        yaml: `scenarios: '${join(projectFolder, 'templates', 'scenarios')}'`,
      });
    });

    after(async () => {
      await site.stop();
      await demo.service.stop();
    });

    async function check(url: string, bytes: string, what: string): Promise<void> {
      const answer = await exchange(portOf(url), bytes);
      expect(answer, what).to.match(/^HTTP\/1\.1 \d{3} /);
      expect(answer, `${what}: ${statusLine(answer)}`).to.match(/\r\nX-Content-Type-Options: nosniff\r\n/);
    }

    const clientRoutes = [
      ...['/', '/NONE.HTML', '/w2h/sallyport.css', '/w2h/none.css', '/w2h/../x', '/%zz'],
      ...['/WS1.HTML+WS3', '/WS1.HTML+WS4', '/NONE.HTML+WS4', '/WS1.HTML+EXT', '/WS1.HTML+NONE', '/WS1.HTML+BASIC'],
      ...['/TERMINAL.HTML+TSO', '/TERMINAL.HTML+TSO4', '/TERMINAL.HTML++SvcSession=none'],
      ...['/macros/global', '/signoff', '/upload.txt+uplusr', '/WS1.HTML+WS3?a=%00'],
    ];
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) {
      it(`stands in the answers to ${method} on a client line`, async () => {
        for (const path of clientRoutes) {
          const body = method === 'POST' || method === 'PUT' ? ['Content-Length: 0'] : [];
          await check(site.clientUrl, request(`${method} ${path}`, ...body), `${method} ${path}`);
        }
      });
    }

    it('stands in the answer that a client has the file already', async () => {
      const first = await exchange(portOf(site.clientUrl), request('GET /w2h/sallyport.css'));
      const etag = /\r\nETag: (.+)\r\n/.exec(first)?.[1];
      const again = await exchange(portOf(site.clientUrl), request('GET /w2h/sallyport.css', `If-None-Match: ${etag}`));
      expect(again).to.match(/^HTTP\/1\.1 304 .*\r\nX-Content-Type-Options: nosniff\r\n/s);
    });

    it('stands in what a browser session answers', async () => {
      const client = new SignOnClient(site.clientUrl);
      const opened = await client.request('/TERMINAL.HTML+TSO');
      const session = /[\w.$]+\+\+SvcSession=[\w-]+/.exec(opened.text)?.[0] ?? '';
      expect(session).to.contain('SvcSession=');
      for (const [method, path] of [
        ['GET', `/w2h/${session}`],
        ['GET', `/${session}`],
        ['POST', `/w2h/${session}`],
        ['DELETE', `/w2h/${session}`],
        ['GET', `/w2h/${session.replace('++', '++Validate')}`],
      ] as const) {
        const answer = await client.request(path, { method });
        expect(answer.headers.get('x-content-type-options'), `${method} ${path}: ${answer.status}`).to.equal('nosniff');
      }
    });

    it('stands in every answer of the portal', async () => {
      const client = new SignOnClient(site.portalUrl);
      const signedOn = await client.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password);
      expect(signedOn.status).to.equal(303);
      expect(signedOn.headers.get('x-content-type-options')).to.equal('nosniff');
      for (const { method, path } of portalRoutes) {
        const named = path.replace('group/:name', 'group/OPS').replace('groups/:name', 'groups/OPS');
        const answer = await client.request(named.replace(':name', ANNA.name).replace(':number', '1'), { method });
        expect(answer.headers.get('x-content-type-options'), `${method} ${path}: ${answer.status}`).to.equal('nosniff');
      }
      for (const path of ['/SECURE/capabilityCode.json+USRCAP?GROUP=OPS', '/SECURE/upload.txt+uplglb', '/SECURE/x']) {
        await check(site.portalUrl, request(`GET ${path}`), path);
        const headers = basic(ADMINISTRATOR.name, ADMINISTRATOR.password);
        for (const method of ['GET', 'POST']) {
          const answer = await client.request(path, { method, headers });
          expect(answer.headers.get('x-content-type-options'), `${method} ${path}`).to.equal('nosniff');
        }
      }
    });

    it('stands in every answer of the demo currency service', async () => {
      for (const line of [
        'GET /',
        'GET /demo',
        'PUT /demo',
        'POST /demo',
        'GET /none',
        'GET /CurrencyConvertor.asmx?WSDL',
      ]) {
        await check(demo.url, request(line), line);
      }
      await check(demo.url, request('POST /CurrencyConvertor.asmx', 'Content-Length: 0'), 'an empty SOAP request');
    });

    for (const [what, bytes] of Object.entries(strangeRequests)) {
      it(`stands in the answer to what is hardly a request: ${what}`, async () => {
        await check(site.clientUrl, bytes, 'client line');
        await check(site.portalUrl, bytes, 'portal line');
      });
    }

    for (const what of ['no HTTP', 'an expectation'] as const) {
      it(`stands in what the demo currency service answers to ${what}`, async () => {
        await check(demo.url, strangeRequests[what], what);
      });
    }
  });

  describe('Content-Security-Policy', () => {
    const opened: ClientLine[] = [];
    const answer: ScenarioOutcome = {
      kind: 'answer',
      contentType: 'text/html',
      body: Buffer.from('1<script src="//evil.example/x.js"></script>'),
      expires: 'immediately',
      fileName: undefined,
    };
    const shown: ScenarioOutcome = {
      kind: 'page',
      page: undefined,
      valuesOf: () => undefined,
      trace: undefined,
      codePage: undefined,
    };
    const own = "default-src 'none'; style-src 'unsafe-inline'";
    const named = { transactions: [transaction('WS3', { contentSecurityPolicy: own })] };

    afterEach(async () => {
      await Promise.all(opened.splice(0).map(({ line }) => line.stop(0)));
    });

    async function policyOf(options: ClientLineOptions): Promise<string | null> {
      const line = await openClientLine(options);
      opened.push(line);
      return (await fetch(`${line.url}/WS1.HTML+WS3`)).headers.get('content-security-policy');
    }

    it('lets nothing run in an answer that a scenario sends, whatever a service put there', async () => {
      expect(await policyOf({ runScenario: async () => answer })).to.equal("default-src 'none'; sandbox");
    });

    it('is that of pages for a template', async () => {
      const policy = await policyOf({ runScenario: async () => shown });
      expect(policy)
        .to.match(/^default-src 'none'; script-src 'self';/)
        .and.not.contain('sandbox');
    });

    it('is the one of the transaction, for answers and templates', async () => {
      expect(await policyOf({ ...named, runScenario: async () => answer })).to.equal(own);
      expect(await policyOf({ ...named, runScenario: async () => shown })).to.equal(own);
    });

    it('is the one that a template sets, before all others', async () => {
      const pages = {
        'CLI-DIR/WS1.HTML': templatePage(
          'WS1.HTML',
          `{{{SET-HEADER (AS-IS) "Content-Security-Policy: default-src 'self'"}}}x`,
        ),
      };
      expect(await policyOf({ ...named, pages, runScenario: async () => shown })).to.equal("default-src 'self'");
    });
  });
});
