import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../src/access/tokens/file-token-store.js';
import { TokenAdministration } from '../../src/access/tokens/token-administration.js';
import { WorkThreads } from '../../src/lib/turns/work-threads.js';
import { FileDraftStore } from '../../src/services/file-draft-store.js';
import { draft } from '../services/contract/draft-store-contract.js';
import { eventually } from '../support/eventually.js';
import { holdThreads } from '../support/held-threads.js';
import { holdLongTimers } from '../support/hold-long-timers.js';
import { ADMINISTRATOR, ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { PortalClient } from './portal-client.js';

const MOST_CHECKS_WAITING_OF_ADDRESS = 20;

const SCREENS = `screens:
  SIGN-ON: [{ text: SIGNON, row: 1, column: 2 }]
`;
const SERVICE = `service: say
parameters:
  user: { type: string, default: '' }
steps:
  - at: SIGN-ON
    fill: [{ at: [8, 31], text: '{user}' }]
    press: Enter
    expect: SIGN-ON
`;
/** 490,002 instructions each: they took 14 s together. */
const HOSTILE_PATTERN = `(?:${'a?'.repeat(245)}){1000}`;
const hostilePatterns = Array.from(
  { length: 58 },
  (_, at) => `  p${at}: { type: string, pattern: '${HOSTILE_PATTERN}' }`,
);
const HOSTILE = SERVICE.replace(/ {2}user: .*/, hostilePatterns.join('\n')).replace('{user}', '{p0}');
const threads = WorkThreads.ofUsers;

describe('texts of users, while all threads are busy', () => {
  let site: PortalSite;
  let administrator: PortalClient;
  let drafts: FileDraftStore;
  let token: string;
  let letGo = async () => {};

  let letTimersGo = () => {};

  before(async () => {
    // of checks: work that holds a thread here lasts as long as a busy machine needs
    letTimersGo = holdLongTimers(2_000);
    const transactions = '      OPEN: { applicationType: 1, application: SIM, page: TERMINAL.HTML }\n';
    const yaml = `services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, ready: 0, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }`;
    site = await startPortalSite({ transactions, yaml, entryPoint: '    services: true' });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    const data = (name: string) => join(site.folder, 'data', name);
    drafts = new FileDraftStore(data('services-drafts'));
    const tokens = new TokenAdministration(
      new FileTokenStore(data('tokens.json')),
      new FileAuditTrail({ file: data('audit.jsonl') }),
    );
    token = await tokens.add({ who: 'test', from: 'test' }, { name: 'caller', scopes: ['sessions'], days: 1 });
  });
  after(async () => {
    await site.stop();
    letTimersGo();
  });
  beforeEach(async () => {
    letGo = await holdThreads(threads);
  });
  afterEach(() => letGo());

  async function open() {
    const answer = await fetch(`${site.clientUrl}/TERMINAL.HTML+OPEN`);
    const session = /\+\+SvcSession=([A-Za-z0-9_-]+)/.exec(await answer.text())?.[1] ?? '';
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    return { session, cookie };
  }
  async function post(what: string, { session, cookie }: Awaited<ReturnType<typeof open>>, service = SERVICE) {
    const authorization = `Basic ${Buffer.from(`${ANNA.name}:${ANNA.password}`).toString('base64')}`;
    return fetch(`${site.clientUrl}/w2h/services/${what}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', Cookie: cookie, authorization },
      body: JSON.stringify({ session, screens: SCREENS, service }),
    });
  }
  const stored = async (service = SERVICE) => {
    const one = draft({ name: 'say', user: ANNA.name, screens: SCREENS, service });
    expect(await drafts.add(one)).to.equal(true);
    return `/drafts/${one.id}`;
  };

  /** Only a thread answers it, and another request does not wait for that. */
  async function expectThread<Result>(request: Promise<Result>): Promise<Result> {
    const answered: string[] = [];
    const asked = request.finally(() => answered.push('with the text'));
    await eventually(async () => (threads.waiting === 1 ? true : undefined));
    expect((await fetch(`${site.clientUrl}/TERMINAL.HTML`)).status).to.equal(200);
    answered.push('another');
    expect(answered).to.deep.equal(['another']);
    await letGo();
    return asked;
  }

  for (const [what, status] of [
    ['check', 200],
    ['try', 200],
    ['drafts', 201],
  ] as const) {
    it(`are checked on a thread: POST /w2h/services/${what}`, async () => {
      const page = await open();
      expect((await expectThread(post(what, page))).status).to.equal(status);
    });
  }

  it('are checked on a thread: the page of a draft', async () => {
    const path = await stored();
    expect((await expectThread(administrator.get(path))).text).to.include(
      'It cannot be called, because it has no pool.',
    );
  });

  it('are checked on a thread: the page of a publication', async () => {
    const path = await stored();
    expect((await expectThread(administrator.get(`${path}/publish`))).status).to.equal(200);
  });

  it('are checked on a thread: a publication', async () => {
    const path = await stored();
    const fields = { NAME: 'say', POOL: 'ACCOUNTS', SEEN: 'another', DO: 'publish' };
    // the plan is another than the one that was looked at
    expect((await expectThread(administrator.post(`${path}/publish`, fields))).status).to.equal(412);
  });

  it('are checked on a thread: steps of programs', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sessions = `${site.clientUrl}/api/v1/sessions`;
    const body = JSON.stringify({ transaction: 'OPEN' });
    const begun = await fetch(sessions, { method: 'POST', headers, body });
    const { handle } = (await begun.json()) as { handle: string };
    const steps = [{ at: 'MEN', extract: { title: { at: [1, 2], length: 4, description: 'x'.repeat(2_000) } } }];
    const large = JSON.stringify(new Array(5).fill(steps[0]));
    const walked = await expectThread(fetch(`${sessions}/${handle}/steps`, { method: 'POST', headers, body: large }));
    expect([walked.status, await walked.text()]).to.satisfy(
      ([status, text]: [number, string]) => status === 422 && text.includes('did you mean \\"MENU\\"'),
    );
  });

  it('wait, as many of one address as may; one more is refused', async () => {
    const page = await open();
    const waiting = Array.from({ length: MOST_CHECKS_WAITING_OF_ADDRESS }, () => post('check', page));
    await eventually(async () => (threads.waiting === MOST_CHECKS_WAITING_OF_ADDRESS ? true : undefined));
    const refused = await post('check', page);
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '2']);
    expect(await refused.json()).to.include({ code: 'SVC_ERR_CHECK_BUSY' });
    await letGo();
    for (const answer of await Promise.all(waiting)) expect(answer.status).to.equal(200);
  });

  it('are refused at their places if their patterns are too large', async () => {
    await letGo();
    const page = await open();
    const checked = (await (await post('check', page, HOSTILE)).json()) as { readonly faults: readonly object[] };
    expect(checked.faults[0]).to.include({ file: 'service.yaml', line: 3, column: 32, severity: 'error' });
    expect(await (await post('try', page, HOSTILE)).json()).to.deep.equal({
      kind: 'notBegun',
      reasons: ['It has errors. Check it first.'],
    });
    expect((await post('drafts', page, HOSTILE)).status).to.equal(400);
    const path = await stored(HOSTILE);
    expect((await administrator.get(path)).text).to.include('as repetitions multiply');
    const fields = { NAME: 'say', POOL: 'ACCOUNTS', SEEN: 'another', DO: 'publish' };
    const published = await administrator.post(`${path}/publish`, fields);
    expect([published.status, published.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 409 && text.includes('as repetitions multiply'),
    );
  });
});
