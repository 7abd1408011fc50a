import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { PortalClient, textOf } from './portal-client.js';

describe('the overview of the portal', () => {
  let site: PortalSite;
  let operator: PortalClient;
  let stranger: Server;

  before(async () => {
    // of two days
    const { cert, key } = makeCertificate();
    stranger = createServer();
    const taken = await new Promise<number>((resolve) => {
      stranger.listen(0, '127.0.0.1', () => {
        const address = stranger.address();
        resolve(address !== null && typeof address === 'object' ? address.port : 0);
      });
    });
    site = await startPortalSite({
      crypts: '',
      hosts: "AWAY: { address: '127.0.0.1:9' }, ",
      transactions: '      TSO: { applicationType: 1, application: SIM }',
      lines: `
  S-HTTPS: { listen: '127.0.0.1:0', entryPoint: CLIWHOST, tls: { cert: '${cert}', key: '${key}' } }
  T-HTTP: { listen: '127.0.0.1:${taken}', entryPoint: CLIWHOST }`,
      yaml: `services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: AWAY, users: [{ user: DEMO, password: demo }], ready: 1, most: 1, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }`,
    });
    operator = await PortalClient.signedOn(site, OPERATOR);
  });
  after(async () => {
    await site?.stop();
    stranger?.close();
  });

  const page = async () => (await operator.get('/')).text;
  const text = async () => textOf(await page()).replace(/\s+/g, ' ');
  const rows = (shown: string) =>
    [...shown.matchAll(/<tr><td>(\d\d:\d\d)<\/td><td>(\d+)<\/td><td>(\d+)<\/td><\/tr>/g)].map(
      ([, minute, sessions, requests]) => ({ minute, sessions: Number(sessions), requests: Number(requests) }),
    );
  const requestsOf = (shown: string) => rows(shown).reduce((sum, { requests }) => sum + requests, 0);

  it('names what needs attention, each with the page where one acts', async () => {
    const shown = await page();
    expect(shown).to.match(
      /<a href="\/lines\/S-HTTPS">certificate of line S-HTTPS<\/a>: it expires in 1 day: \d{4}-\d\d-\d\d/,
    );
    expect(shown).to.match(
      /<a href="\/lines\/T-HTTP">line T-HTTP<\/a>: it cannot open yet, and retries\. <span lang="en">/,
    );
    expect(shown).to.not.include('>line C-HTTP</a>');
    await eventually(async () =>
      /<a href="\/lines#pools">pool ACCOUNTS<\/a>: it has no sessions\. <span lang="en">/.test(await page())
        ? true
        : undefined,
    );
  });

  it('says which checks fail, without a management port', async () => {
    const shown = await text();
    expect(shown).to.match(/1 check of \d+ DOWN\./);
    expect(shown).to.include('line T-HTTP DOWN it does not listen').and.include('line C-HTTP UP –');
    const folder = join(site.folder, 'data', 'macros');
    renameSync(folder, `${folder}-aside`);
    writeFileSync(folder, '');
    try {
      await eventually(async () =>
        (await text()).includes(`folder ${folder} DOWN cannot be written`) ? true : undefined,
      );
      expect(await page()).to.include(`<strong>folder ${folder}</strong>: <span lang="en">cannot be written`);
    } finally {
      rmSync(folder);
      renameSync(`${folder}-aside`, folder);
    }
    await eventually(async () => ((await text()).includes(`folder ${folder} UP –`) ? true : undefined));
  });

  it('counts sessions and requests, in drawings and in a table', async () => {
    const earlier = requestsOf(await page());
    for (let count = 0; count < 3; count++) {
      expect((await fetch(`${site.clientUrl}/TERMINAL.HTML+TSO`)).status).to.equal(200);
    }
    // those three, and the page of before
    const shown = await eventually(async () => {
      const latest = await page();
      return requestsOf(latest) >= earlier + 4 ? latest : undefined;
    });
    expect(textOf(shown).replace(/\s+/g, ' ')).to.match(/Sessions 3 \( show them \)/);
    expect(rows(shown).at(0)?.sessions).to.equal(3);
    expect(shown).to.match(/aria-label="Sessions, at most 3 sessions\./);
    const drawings = [...shown.matchAll(/<svg [^>]*role="img"[^>]*><path d="([^"]*)"\/><\/svg>/g)];
    expect(drawings).to.have.lengthOf(2);
    // the minute that runs now is the last bar, and no other has had more sessions
    expect(drawings[0]?.[1]).to.match(/M591 100v-100h8v100z$/);
  });

  it('has version, uptime and when certificates end', async () => {
    const shown = await text();
    expect(shown).to.match(/Version \d+\.\d+\.\d+/);
    expect(shown).to.match(/Uptime \d+ (s|min), since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(shown).to.match(/Line Expires S-HTTPS \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  });

  it('has a line that an operator stops, until it is started', async () => {
    await operator.post('/lines/C-HTTP/stop', {});
    expect(await page()).to.include('<a href="/lines/C-HTTP">line C-HTTP</a>: an operator has stopped it');
    await eventually(async () => ((await operator.get('/lines/C-HTTP')).text.includes('Stopped') ? true : undefined));
    await operator.post('/lines/C-HTTP/start', {});
    expect(await page()).to.not.include('line C-HTTP</a>');
  });

  it('is for those who are signed on', async () => {
    expect((await fetch(`${site.portalUrl}/`)).status).to.equal(401);
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    expect((await administrator.get('/')).status).to.equal(200);
  });
});
