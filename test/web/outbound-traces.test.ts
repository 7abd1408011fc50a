import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type PortalSite, startPortalSite } from '../support/portal-site.js';
import { fixture } from '../support/project.js';
import { formsOf, PortalTraces } from './portal-traces.js';

/** Not to be met anywhere by chance. */
const canary = 'zQ7xKw9v';

/** Calls a service with what its client gives it, and answers with what the service does. */
const call = `         SCENARIO INITIAL
         COPY$ INPUT-TO-VARIABLE,FIELD='PASSWORD',VAR='PASSWORD'
         COPY$ INPUT-TO-VARIABLE,FIELD='AUTH',VAR='AUTH'
         COPY$ INPUT-TO-VARIABLE,FIELD='TYPE',VAR='TYPE'
         COPY$ INPUT-TO-VARIABLE,FIELD='SOAP',VAR='SOAP'
         COPY$ INPUT-TO-VARIABLE,FIELD='TO',VAR='TO'
         COPY$ INPUT-TO-VARIABLE,FIELD='TEXT',VAR='TEXT'
         COPY$ VALUE-TO-VARIABLE,VAR='ANSWER',VALUE='failed'
         OPTION$ FOR-HTTP,(METHOD,'POST'),(TO,'*TO'),(TEXT,'*TEXT'),(HEADER,'*TYPE'),
               (HEADER,'*AUTH'),(FILE-OUT,'SOAP'),(FILE-IN,'ANSWER'),TOVAR='P'
         SEND$ TO-LINE,LINE='O-HTTP',MAXTIME=500,PARMS='P',ERROR=OUT
OUT      SEND$ AS-ANSWER,VAR='ANSWER',TYPE='text/plain'
         SCENARIO END
`;

describe('traces of outbound lines', function () {
  this.timeout(60_000);
  const scenarios = mkdtempSync(join(tmpdir(), 'sallyport-outbound-traces-'));
  /** Sends back what it gets. */
  const service = createServer((request, response) => {
    const cookie = { 'Set-Cookie': `id=${canary}`, 'X-Token': canary, 'X-Again': `of ${canary}` };
    response.writeHead(200, { 'Content-Type': request.headers['content-type'] ?? '', ...cookie });
    if (request.url === '/broken') response.destroy();
    else request.pipe(response);
  });
  let site: PortalSite;
  let traces: PortalTraces;

  before(async () => {
    writeFileSync(join(scenarios, 'CALL.scn'), call);
    await once(service.listen(0, '127.0.0.1'), 'listening');
    site = await startPortalSite({
      crypts: '',
      pages: fixture('session-pages'),
      transactions: "      CALL: { applicationType: 2, initialScenario: CALL, tioaAtLogon: '&/S' }",
      lines: `  O-HTTP: { outbound: true, site: '127.0.0.1:${(service.address() as AddressInfo).port}' }`,
      yaml: `scenarios: '${scenarios}'`,
    });
    traces = await PortalTraces.of(site);
  });
  after(async () => {
    await site?.stop();
    service.close();
    service.closeAllConnections();
    rmSync(scenarios, { recursive: true, force: true });
  });

  it('have what services were sent and have answered, and no secret', async () => {
    const { admin, token } = traces;
    const trace = await traces.begin('line', 'O-HTTP');
    const others = ['hG4nRe8u', 'kL2mTw6y', 'vB5dZi3o', 'pS8fXa1c'];
    const special = `x&<${canary}>'"`;
    const escaped = `x&amp;&lt;${canary}&gt;&apos;&quot;`;
    const long = 'w'.repeat(20_000);
    const told = async (type: string, soap: string, to = `/rate?PIN=${canary}&of=EUR`, more = '') => {
      const fields = { PASSWORD: special, AUTH: `Authorization: Basic ${btoa(`anna:${canary}`)}`, TO: to, TEXT: more };
      const body = new URLSearchParams({ ...fields, TYPE: `Content-Type: ${type}`, SOAP: soap });
      const answer = await fetch(`${site.clientUrl}/LOGON.HTML+CALL`, { method: 'POST', body });
      return answer.text();
    };
    const envelope = (what: string) => `<?xml version="1.0"?><s:Envelope><s:Body>${what}</s:Body></s:Envelope>`;
    const soaps = [
      `<wsse:Password Type="PasswordText">${canary}</wsse:Password><From>EUR</From>`,
      `<password><![CDATA[${canary}<]]></password><password/><User pin="${canary}" name='ANNA'>${escaped}</User><To>USD</To>`,
      `<Secret><Deep a=">"><Secret>a</Secret>${canary}</Deep>${canary}</Secret><At>Zurich</At>`,
      `<password>${others[2]}</password><Again>${others[2]}</Again><p pass="${others[3]}">${others[3]}</p>`,
      `<Kennwort>${others[2]}</Kennwort><Again mdp="${others[3]}">${others[2]}, ${others[3]}</Again>`,
      `<Long>${long}</Long><password>${canary}</password>`,
    ];
    for (const soap of soaps) expect(await told('text/xml; charset=utf-8', envelope(soap))).to.equal(envelope(soap));
    // the bound lies within a secret: of what is shown, and of what is looked at where masks make it shorter
    await told('application/soap+xml', `${'<a>'.padEnd(16_380, 'b')}${special}`);
    const masked = `<a><password>${'p'.repeat(5_000)}</password>`;
    await told('text/xml', `${masked.padEnd(16_384 + 4_096 - 10, 'c')}${special}`);
    await told('application/json', JSON.stringify({ from: 'CHF', deep: [{ password: others[0], other: others[0] }] }));
    await told(
      'application/x-www-form-urlencoded',
      `from=SEK&password=${others[1]}&again=${others[1]}${encodeURIComponent(special)}`,
    );
    expect(await told('text/plain', 'ISK', '/rate?of=ISK&more=', special)).to.equal('ISK');
    // half a surrogate pair has no UTF-8
    const half = JSON.stringify({ from: 'HUF', password: `"${others[0]}\ud800`, other: [`"${others[0]}\ud800`] });
    expect(await told('application/json', half)).to.equal(half);
    await told('text/plain; charset=utf-16', `DKK ${canary}`);
    await told('application/octet-stream', `NOK ${canary}`);
    expect(await told('text/xml', envelope('<a/>'), '/broken')).to.equal('failed');
    await admin.post(`${trace}/stop`, { TOKEN: token });
    const { text } = await admin.request(`${trace}/trace.txt`);
    expect(text.toLowerCase()).to.contain('// trace of line o-http, begun ').and.not.contain(canary.toLowerCase());
    expect(text).not.to.contain(canary.slice(0, 4));
    for (const secret of [canary, ...others]) {
      for (const form of formsOf(secret)) expect(text).not.to.contain(form);
    }
    const { port } = service.address() as AddressInfo;
    for (const row of [
      `> (to 127.0.0.1:${port}, for request `,
      '> POST /rate?PIN=***&of=EUR HTTP/1.1\n',
      '> Authorization: ***\n',
      '> Content-Type: text/xml; charset=utf-8\n',
      '> | <?xml version="1.0"?><s:Envelope><s:Body><wsse:Password Type="PasswordText">***</wsse:Password><From>EUR</From>',
      '< HTTP/1.1 200\n',
      '< Set-Cookie: ***\n',
      '< X-Token: ***\n',
      '<From>EUR</From></s:Body></s:Envelope>\n',
      "</password><password/><User pin=*** name='ANNA'>***</User><To>USD</To>",
      '<Secret>***</Secret><At>Zurich</At>',
      `> (body: ${envelope(soaps[5] ?? '').length} bytes of text/xml, its beginning)\n`,
      '> + wwww',
      ' "from": "CHF"',
      ' "from": "HUF"',
      '> POST /rate?of=ISK&more=*** HTTP/1.1\n',
      '> | from=SEK\n',
      '> | &password=***\n',
      `> (body: 12 bytes of text/plain, not shown)\n`,
      `> (body: 12 bytes of application/octet-stream, not shown)\n`,
      '< (the reply is complete)\n',
    ]) {
      expect(text).to.contain(row);
    }
    expect(text).to.match(
      /#\d+ > POST \/broken HTTP\/1\.1$[\s\S]*#\d+ < \(failed: line O-HTTP, site 127\.0\.0\.1:\d+: /m,
    );
    for (const line of text.split('\n')) expect(line).to.have.length.below(600);
    await admin.post(`${trace}/remove`, { TOKEN: token });
  });
});
