import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { OPERATOR, ServiceSite, USER } from './service-site.js';

const INQUIRY = '/api/v1/services/account-inquiry';
const body = { account: '10000001' };
const basic = ({ name, password }: { readonly name: string; readonly password: string }) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

describe('callers of services', () => {
  let site: ServiceSite;

  before(async () => {
    site = await ServiceSite.open({
      entryPoint: '    services: [account-inquiry, member-list]\n    serviceUsers: [OPS]',
    });
    await site.addUsers();
  });
  after(() => site.stop());

  it('have a token, or are told how to come by one', async () => {
    const unknown = `sallyport_${'A'.repeat(43)}`;
    for (const [headers, challenge] of [
      // browsers and libraries take the first that they know
      [{}, 'Basic realm="Sallyport", charset="UTF-8", Bearer realm="Sallyport"'],
      [{ authorization: 'Bearer' }, 'charset="UTF-8", Bearer realm="Sallyport"'],
      [{ authorization: 'Bearer x' }, 'error="invalid_token"'],
      [{ authorization: `Bearer ${unknown}` }, 'error="invalid_token"'],
      [{ authorization: 'Basic !' }, 'charset="UTF-8", Bearer realm="Sallyport"'],
    ] as const) {
      for (const path of [INQUIRY, '/api/v1/none', '/api/v1/sessions']) {
        const reply = await site.request(path, { body, headers });
        expect([reply.status, reply.body.code], path).to.deep.equal([401, 'token-needed']);
        expect(reply.headers.get('www-authenticate')).to.include(challenge);
      }
    }
    const token = await site.token('services');
    for (const name of ['access_token', 'token']) {
      const inUrl = await site.request(`${INQUIRY}?${name}=${token}`, { body });
      expect(inUrl.status).to.equal(401);
    }
    expect(site.written()).to.not.include(token);
  });

  it('are let in by a scope, each to what it names', async () => {
    const one = await site.token('services:account-inquiry');
    expect((await site.request(INQUIRY, { token: one, body })).status).to.equal(200);
    const listed = (await site.request('/api/v1/services', { token: one })).body.services as { name: string }[];
    expect(listed.map(({ name }) => name)).to.deep.equal(['account-inquiry']);
    const paths = ((await site.request('/api/v1/openapi.json', { token: one })).body.paths ?? {}) as object;
    expect(Object.keys(paths)).to.deep.equal([INQUIRY]);
    for (const [path, scope] of [
      ['/api/v1/services/member-list', 'services:member-list'],
      ['/api/v1/sessions', 'sessions'],
    ]) {
      const reply = await site.request(path ?? '', { token: one, body: {} });
      expect([reply.status, reply.body.code], path).to.deep.equal([403, 'token-scope']);
      expect(reply.headers.get('www-authenticate')).to.include(`error="insufficient_scope", scope="${scope}"`);
    }
    const all = await site.token('services');
    // the entry point does not offer it
    const { status, body: problem } = await site.request('/api/v1/services/account-update', { token: all, body: {} });
    expect([status, problem.code]).to.deep.equal([404, 'service-unknown']);
  });

  it('are refused from the moment their token is revoked', async () => {
    const token = await site.token('services');
    expect((await site.request(INQUIRY, { token, body })).status).to.equal(200);
    const [{ name = '' } = {}] = (await site.tokens.list()).slice(-1);
    for (const one of await site.tokens.list()) await site.tokens.revoke({ who: 'test', from: 'test' }, one.name);
    expect(name).to.not.equal('');
    const reply = await site.request(INQUIRY, { token, body });
    expect([reply.status, reply.body.code]).to.deep.equal([401, 'token-needed']);
  });

  it('are users of the groups of serviceUsers, by HTTP Basic, and no page of another site', async () => {
    expect((await site.request(INQUIRY, { body, headers: basic(USER) })).status).to.equal(200);
    expect((await site.request(INQUIRY, { body, headers: basic(OPERATOR) })).status).to.equal(200);
    const wrong = await site.request(INQUIRY, { body, headers: basic({ ...USER, password: 'wrong' }) });
    expect([wrong.status, wrong.body.code]).to.deep.equal([401, 'signon-refused']);
    const foreign = await site.request(INQUIRY, { body, headers: { ...basic(USER), 'sec-fetch-site': 'cross-site' } });
    expect([foreign.status, foreign.body.code]).to.deep.equal([403, 'request-origin']);
  });
});

describe('services that an entry point does not offer', () => {
  it('are not there at all', async () => {
    const site = await ServiceSite.open({ entryPoint: '    services: false' });
    try {
      const token = await site.token('services');
      expect((await site.request(INQUIRY, { token, body })).status).to.not.equal(200);
      expect((await site.request('/api/v1/services', { token })).status).to.equal(404);
    } finally {
      await site.stop();
    }
  });
});

describe('a caller of a service who goes away during the call', () => {
  const [ENTER, PF3] = [0x7d, 0xf3];

  it('is served no longer, and the next one is, in another session', async () => {
    const site = await ServiceSite.open({ pool: 'ready: 2, most: 2' });
    try {
      const token = await site.token('services');
      const call = (account: string, signal?: AbortSignal) =>
        site.request(INQUIRY, { token, body: { account }, ...(signal === undefined ? {} : { signal }) });
      const pressed = (key: number, count: number) =>
        eventually(() => (site.relay.pressed.filter((one) => one === key).length >= count ? true : undefined));
      await pressed(ENTER, 2);
      expect((await call('10000001')).status).to.equal(200);
      await pressed(PF3, 2);
      const before = site.relay.records;
      site.relay.arm('silent', 0);
      const leaving = new AbortController();
      const left = call('10000002', leaving.signal).catch((error: Error) => error.name);
      await eventually(() => (site.relay.records > before ? true : undefined));
      leaving.abort();
      expect(await left).to.equal('AbortError');
      const next = await call('10000003');
      expect([next.status, next.body]).to.deep.equal([200, { name: 'KONRAD ZUSE', balance: '-125.50' }]);
    } finally {
      // the session that was left waits for its host
      await site.relay.close();
      await site.stop();
    }
  });
});
