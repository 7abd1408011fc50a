import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';

const LONGEST_DRAFT_TEXT = 32_768;

const SCREENS = `screens:
  SIGN-ON: [{ text: SIGNON, row: 1, column: 2 }]
  MENU: [{ text: MENU, row: 1, column: 2 }]
`;
const SERVICE = `service: say
parameters:
  user: { type: string, maxLength: 8, default: '' }
steps:
  - at: SIGN-ON
    fill: [{ at: [8, 31], text: '{user}' }]
    press: Enter
    expect: SIGN-ON
  - at: SIGN-ON
    extract:
      message: { at: [22, 2], length: 40 }
`;

describe('requests of terminals for services that were recorded', () => {
  let site: PortalSite;
  before(async () => {
    const transactions = `      OPEN: { applicationType: 1, application: SIM, page: TERMINAL.HTML }
      LATE: { applicationType: 1, application: LATE, page: TERMINAL.HTML }
      HIDING: { applicationType: 1, application: SIM, page: TERMINAL.HTML, crypt: CRYPT3270 }`;
    site = await startPortalSite({ transactions, hosts: 'LATE: { simulated: true, faults: [delay] }, ' });
  });
  after(() => site.stop());

  interface Page {
    readonly session: string;
    readonly cookie: string;
  }

  async function open(transaction = 'OPEN'): Promise<Page> {
    const answer = await fetch(`${site.clientUrl}/TERMINAL.HTML+${transaction}`);
    const session = /\+\+SvcSession=([A-Za-z0-9_-]+)/.exec(await answer.text())?.[1] ?? '';
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    return { session, cookie };
  }

  async function post(
    what: string,
    page: Page,
    members: object = {},
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ) {
    const answer = await fetch(`${site.clientUrl}/w2h/services/${what}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', Cookie: page.cookie, ...headers },
      body: JSON.stringify({ session: page.session, screens: SCREENS, service: SERVICE, ...members }),
      signal: signal ?? null,
    });
    return { status: answer.status, value: (await answer.json()) as Record<string, unknown> };
  }
  const basic = { Authorization: `Basic ${Buffer.from(`${ANNA.name}:${ANNA.password}`).toString('base64')}` };
  const drafts = () => {
    try {
      return readdirSync(join(site.folder, 'data', 'services-drafts'));
    } catch {
      return [];
    }
  };

  it('check both files, with line and column', async () => {
    const page = await open();
    expect(await post('check', page)).to.deep.equal({
      status: 200,
      value: {
        faults: [],
        service: { name: 'say', parameters: [{ name: 'user', type: 'string', isSecret: false, isRequired: false }] },
      },
    });
    const { value } = await post('check', page, { service: SERVICE.replace('[8, 31]', '[8, x]') });
    expect(value).to.not.have.property('service');
    expect(value.faults).to.have.length(1);
    expect((value.faults as object[])[0]).to.include({ file: 'service.yaml', line: 6, severity: 'error' });
    const other = await post('check', page, { screens: 'screens: {' });
    expect((other.value.faults as object[])[0]).to.include({ file: 'screens.yaml' });
  });

  it('try a service in the session, where that stands on the first screen', async () => {
    const page = await open();
    const menu = SERVICE.replace('at: SIGN-ON', 'at: MENU');
    const elsewhere = await post('try', page, { service: menu });
    expect(elsewhere.value.kind).to.equal('notBegun');
    expect(elsewhere.value.reasons).to.deep.equal([
      'The session must show the first screen of the service.',
      'MENU: "MENU" at row 1, column 2: there is "SIGN"',
    ]);
    expect((await post('try', page)).value).to.deep.equal({
      kind: 'done',
      extracts: { message: 'Please type your userid' },
    });
    expect((await post('try', page, { values: { user: 'x'.repeat(9), more: 1 } })).value.kind).to.equal('notBegun');
    const stopping = SERVICE.replace('expect: SIGN-ON', 'expect: MENU');
    const { value } = await post('try', page, { service: stopping, values: { user: 'demo' } });
    expect(value.kind).to.equal('stopped');
    expect(String(value.reasons)).to.include('an unexpected screen appeared instead of MENU');
    expect(value.picture).to.match(/^ SIGNON[\s\S]*Userid {2}\. \. \. \. {2}DEMO/);
  });

  it('end a trial when its client goes away', async () => {
    const page = await open('LATE');
    const step = SERVICE.slice(SERVICE.indexOf('  - at'), SERVICE.lastIndexOf('  - at'));
    // each answer takes two seconds
    const service = SERVICE.replace(step, step.repeat(50));
    await eventually(async () => ((await post('try', page)).value.kind === 'done' ? true : undefined));
    const client = new AbortController();
    const left = post('try', page, { service }, {}, client.signal).catch(() => 'left');
    const isUnderWay = async () => String((await post('try', page)).value.reasons).startsWith('Another trial');
    await eventually(async () => ((await isUnderWay()) ? true : undefined));
    client.abort();
    expect(await left).to.equal('left');
    await eventually(async () => ((await isUnderWay()) ? undefined : true));
  });

  it('try no secrets in a session that encrypts them', async () => {
    const page = await open('HIDING');
    const secret = SERVICE.replace("default: ''", 'secret: true');
    expect((await post('try', page, { service: secret, values: { user: 'hushX7' } })).value).to.deep.equal({
      kind: 'notBegun',
      reasons: ['This session encrypts hidden fields, which a trial does not support. Parameter: user.'],
    });
    expect(site.log()).to.not.include('hushX7');
  });

  it('store drafts for users alone, of services without errors, as large as they may be', async () => {
    const page = await open();
    expect((await post('drafts', page)).status).to.equal(401);
    expect(drafts()).to.deep.equal([]);
    const faulty = await post('drafts', page, { service: 'service: 5' }, basic);
    expect([faulty.status, faulty.value.code]).to.deep.equal([400, 'SVC_ERR_RECORDING_CONTENT']);
    const padded = (length: number) => SERVICE.padEnd(length, '#').replace(/#(?=#*$)/, '#');
    expect((await post('drafts', page, { service: padded(LONGEST_DRAFT_TEXT + 1) }, basic)).status).to.equal(400);
    expect((await post('drafts', page, { service: padded(LONGEST_DRAFT_TEXT) }, basic)).status).to.equal(201);
    expect(drafts()).to.have.length(1);
    for (let count = 1; count < 20; count++) expect((await post('drafts', page, {}, basic)).status).to.equal(201);
    const full = await post('drafts', page, {}, basic);
    expect([full.status, full.value.code]).to.deep.equal([409, 'SVC_ERR_DRAFTS_FULL']);
    expect(drafts()).to.have.length(20);
  });

  it('are refused if their JSON is nested too deeply or has too many values', async () => {
    const page = await open();
    // within the body and the values
    const nested = (depth: number): unknown => Array.from({ length: depth - 2 }).reduce((inner) => [inner], 1);
    const counted = async (count: number) => {
      // the body, its four names and values, and a name and a value of each
      const members = Array.from({ length: (count - 9) / 2 }, (_, at) => [`p${at}`, '']);
      return post('try', page, { values: Object.fromEntries(members) });
    };
    expect((await post('try', page, { values: { user: nested(32) } })).value).to.deep.equal({
      kind: 'notBegun',
      reasons: ['user: Expected text.'],
    });
    expect((await counted(999)).status).to.equal(200);
    for (const refused of [await post('try', page, { values: { user: nested(33) } }), await counted(1_001)]) {
      expect(refused.value).to.include({ code: 'SVC_ERR_RECORDING_CONTENT' });
      expect(refused.value.message).to.include(
        'at most 1000 values and names, and arrays and objects nested at most 32 deep',
      );
    }
  });

  it('are refused from other sites, without the session, its cookie or the right method, and in other forms', async () => {
    const page = await open();
    // the session belongs to the browser that has its cookie
    expect((await post('check', page)).status).to.equal(200);
    for (const [headers, members, status] of [
      [{ 'Sec-Fetch-Site': 'cross-site' }, {}, 403],
      [{ Origin: 'http://evil.example' }, {}, 403],
      [{ Cookie: '' }, {}, 404],
      [{}, { session: 'x' }, 404],
      [{}, { session: 5 }, 404],
      [{ 'Content-Type': 'text/plain' }, {}, 400],
      [{}, { screens: 5 }, 400],
      [{}, { values: [] }, 400],
    ] as const) {
      const answer = await post('try', page, members, headers);
      expect(answer.status, JSON.stringify([headers, members, answer.value])).to.equal(status);
    }
    const read = await fetch(`${site.clientUrl}/w2h/services/check`, { headers: { Cookie: page.cookie } });
    expect([read.status, read.headers.get('allow')]).to.deep.equal([405, 'POST']);
    expect((await fetch(`${site.portalUrl}/w2h/services/check`, { method: 'POST' })).status).to.not.equal(200);
  });
});
