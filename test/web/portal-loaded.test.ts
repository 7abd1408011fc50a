import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { auditText, lastEntries, PortalClient, textOf } from './portal-client.js';

const CANARY = 'cAnArY-93-bird';

/** Types its secret where everybody sees it, and expects another screen. */
const SECRET = `service: secret-inquiry
description: Types a secret into a field that displays it
pool: ACCOUNTS
parameters:
  account: { type: string, maxLength: 8 }
  pass: { type: string, maxLength: 20, secret: true }
  closed: { type: boolean, required: false }
steps:
  - at: MENU
    type: '{pass}'
    press: Enter
    expect: ACCT
`;

/** Waits for the host until long after its pool would have ended it. */
const LATE = `service: late
description: Has the host take its time
pool: ACCOUNTS
steps:
  - { at: MENU, type: '8', press: Enter, expect: LATE }
  - { at: LATE, type: '60', press: Enter, within: 60, expect: MENU }
`;

describe('what is loaded, in the portal', () => {
  let folder = '';
  let site: PortalSite;
  let administrator: PortalClient;
  let operator: PortalClient;
  const pages: string[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-loaded-'));
    const at = (...names: string[]) => join(folder, ...names);
    cpSync(join(projectFolder, 'templates', 'services'), at('services'), { recursive: true });
    writeFileSync(at('services', 'secret-inquiry.yaml'), SECRET);
    writeFileSync(at('services', 'late.yaml'), LATE);
    appendFileSync(at('services', 'screens.yaml'), '\n  LATE: [{ text: LATE, row: 1, column: 2 }]\n');
    writeFileSync(at('services', 'other.yml'), 'service: other\n');
    mkdirSync(at('scenarios'));
    cpSync(join(projectFolder, 'templates', 'scenarios', 'SCENACCT.scn'), at('scenarios', 'GOOD.scn'));
    writeFileSync(at('scenarios', 'BAD.scn'), '         SCENARIO INITIAL\n         NOSUCH\n');
    site = await startPortalSite({
      crypts: '',
      transactions: '      TSO: { applicationType: 1, application: SIM, description: By the host }',
      yaml: `services: '${at('services')}'
scenarios: '${at('scenarios')}'
pools:
  ACCOUNTS: { host: SIM, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }`,
    });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    operator = await PortalClient.signedOn(site, OPERATOR);
  });
  after(async () => {
    await site?.stop();
    rmSync(folder, { recursive: true });
  });

  const shown = async (path: string, client = operator) => {
    const { status, text } = await client.get(path);
    expect(status, text).to.equal(200);
    pages.push(text);
    return textOf(text).replace(/\s+/g, ' ');
  };
  const tried = async (service: string, fields: Readonly<Record<string, string>>) => {
    const { status, text } = await administrator.post(`/loaded/services/${service}`, fields);
    pages.push(text);
    return { status, page: text, shown: textOf(text).replace(/\s+/g, ' ') };
  };

  it('has transactions, scenarios, services, screens and files with where they come from', async () => {
    const text = await shown('/loaded');
    expect(text).to.include(`From ${join(site.folder, 'sallyport.yaml')}`);
    expect(text).to.include('TSO By the host CLIWHOST Host SIM');
    expect(text).to.match(/account-inquiry .{1,200} ACCOUNTS account \S*services\/account-inquiry\.yaml/);
    expect(text).to.match(/GOOD INITIAL.{0,40} \S*scenarios\/GOOD\.scn/);
    expect(text).to.match(/MENU \S*services\/screens\.yaml, line \d+/);
    expect(text).to.include(join(projectFolder, 'public'));
    expect(text).to.match(/favicon\.svg W2H-DIR (?:Served unchanged|Not read yet)/);
  });

  it('has the diagnostics of its files', async () => {
    const text = await shown('/loaded');
    expect(text).to.match(/BAD – \S*BAD\.scn Assembly failed \S*BAD\.scn:\d+:\d+: error: /);
    expect(text).to.match(/other\.yml:1:1: warning: it is ignored/);
  });

  it('is searched', async () => {
    const text = await shown('/loaded?search=ACCOUNT-inq');
    expect(text).to.include('account-inquiry').and.not.include('secret-inquiry').and.not.include('GOOD');
    expect(text).to.include('None.').and.include('Show all');
  });

  it('has a page of long lists at a time', async () => {
    const [, files = '0'] = /Files in these directories (\d+)/.exec(await shown('/loaded')) ?? [];
    const pageCount = Math.ceil(Number(files) / 100);
    const text = await shown(`/loaded?file=${pageCount}`);
    if (pageCount > 1) expect(text).to.include(`Page ${pageCount} of ${pageCount}`);
    expect(await shown('/loaded?file=0&search=favicon')).to.include('favicon.svg');
  });

  it('has services tried by administrators alone', async () => {
    expect((await operator.get('/loaded/services/account-inquiry')).status).to.equal(403);
    const refused = await operator.post('/loaded/services/account-inquiry', { 'VALUE:account': '10000001' });
    expect(refused.status).to.equal(403);
    expect(await shown('/loaded')).to.not.include('Try account-inquiry');
    expect(await shown('/loaded', administrator)).to.include('Try account-inquiry');
    expect((await administrator.post('/loaded/services/account-inquiry', { TOKEN: 'x' })).status).to.equal(403);
    expect(auditText(site)).to.not.include('service.tried');
    expect((await administrator.get('/loaded/services/sign-on')).status).to.equal(404);
    expect((await administrator.get('/loaded/services/none')).status).to.equal(404);
  });

  it('shows what a service answers, and has it on record without values', async () => {
    expect(await shown('/loaded/services/account-inquiry', administrator)).to.include('pool ACCOUNTS');
    const { status, shown: text } = await tried('account-inquiry', { 'VALUE:account': '10000001' });
    expect(status).to.equal(200);
    expect(text)
      .to.include('Status 200')
      .and.match(/\{ "\w+": /);
    const [intent, done] = lastEntries(site, 2);
    expect(intent).to.include({ who: 'admin', what: 'service.tried', subject: 'account-inquiry', stage: 'intended' });
    expect(intent?.after).to.deep.equal({ given: ['account'] });
    expect(done).to.include({ what: 'service.tried', stage: 'done' });
    expect(auditText(site)).to.not.include('10000001');
  });

  it('says what is wrong with the parameters, and calls nothing', async () => {
    const before = auditText(site);
    const { status, shown: text } = await tried('secret-inquiry', {
      'VALUE:account': '123456789',
      'VALUE:closed': 'maybe',
    });
    expect(status).to.equal(400);
    expect(text)
      .to.include('account: Expected at most 8 characters.')
      .and.include('pass: It is missing.')
      .and.include('closed: Expected true or false.');
    expect(auditText(site)).to.equal(before);
  });

  it('shows problems with their code, and secrets nowhere', async () => {
    const {
      status,
      page,
      shown: text,
    } = await tried('secret-inquiry', {
      'VALUE:account': '1234',
      'VALUE:pass': CANARY,
      'VALUE:closed': 'true',
    });
    expect(status).to.equal(200);
    expect(text)
      .to.match(/Status 409, code guard-failed/)
      .and.include('"requestId"')
      .and.not.include('BIRD');
    expect(page).to.include('type="password" name="VALUE:pass" value=""').and.include('value="1234"');
    expect(lastEntries(site, 2)[0]?.after).to.deep.equal({ given: ['account', 'pass', 'closed'] });
    await tried('secret-inquiry', { 'VALUE:pass': CANARY });
    for (const written of [...pages, auditText(site), site.log()]) expect(written).to.not.include(CANARY);
  });

  it('ends a trial whose client goes away', async () => {
    const leaving = new AbortController();
    const left = fetch(`${site.portalUrl}/loaded/services/late`, {
      method: 'POST',
      body: new URLSearchParams({ TOKEN: administrator.token }),
      headers: { Cookie: administrator.cookie, Origin: site.portalUrl },
      signal: leaving.signal,
    }).catch(() => undefined);
    const entries = () => lastEntries(site, 10).filter(({ subject }) => subject === 'late') as { stage?: string }[];
    await eventually(() => entries()[0]);
    leaving.abort();
    expect(await left).to.equal(undefined);
    // one that was carried out to its end, past the time of its pool, is done
    expect((await eventually(() => entries()[1])).stage).to.equal('failed');
  });
});
