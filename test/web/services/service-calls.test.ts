import { expect } from 'chai';
import { type Reply, ServiceSite } from './service-site.js';

const INQUIRY = '/api/v1/services/account-inquiry';
/** An inquiry whose account nobody may know; one that is not there is an end that it does not expect. */
const SECRET_INQUIRY = `service: secret-inquiry
pool: ACCOUNTS
parameters: { account: { type: string, secret: true } }
steps:
  - { at: MENU, type: '2', press: Enter, expect: ACCT }
  - at: ACCT
    fill: [{ label: Account number, text: '{account}' }]
    press: Enter
    within: 0.5
    expect: ACCOUNT
`;

describe('calls of services over HTTP', () => {
  let site: ServiceSite;
  let token: string;
  let seeing: string;

  before(async () => {
    site = await ServiceSite.open({
      pool: 'ready: 1, most: 1, checkoutSeconds: 20',
      services: { 'secret-inquiry.yaml': SECRET_INQUIRY },
    });
    token = await site.token('services');
    seeing = await site.token('services', 'screens');
  });
  after(() => site.stop());

  const inquire = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    site.request(INQUIRY, { token, body, headers });
  const problemOf = ({ status, headers, body }: Reply) => {
    expect(headers.get('content-type')).to.equal('application/problem+json');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body).to.include({ status, requestId: headers.get('x-request-id') });
    return body;
  };

  it('answer what the host says, decimals as texts with its digits', async () => {
    const { status, headers, body } = await inquire({ account: '10000001' });
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json']);
    expect(body).to.deep.equal({ name: 'ADA LOVELACE', balance: '12540.75' });
    expect((await inquire({ account: '10000003' })).body).to.deep.equal({ name: 'KONRAD ZUSE', balance: '-125.50' });
  });

  it('answer ends of their own as problems', async () => {
    const reply = await inquire({ account: '99999999' });
    expect(reply.status).to.equal(404);
    expect(problemOf(reply)).to.deep.include({
      type: 'urn:sallyport:outcome:account-not-found',
      title: 'There is no account 99999999.',
      code: 'account-not-found',
    });
    const { body } = await site.request('/api/v1/services/member-list', { token, body: {} });
    expect((body.members as { name: string }[])[0]).to.include.keys('name', 'lines', 'changed', 'title');
  });

  it('tell everything that is wrong with parameters, with pointers', async () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['{}', ['/account: It is missing.']],
      ['{"account":"1"}', ['/account: Expected text that matches ^[0-9]{8}$.']],
      ['{"account":10000001}', ['/account: Expected text.']],
      ['{"account":"10000001","a/b~":1}', ['/a~1b~0: The service has no such parameter.']],
      ['{"account":"10000001","account":"10000002"}', ['/account: It occurs more than once.']],
      ['{"account":"10000001","\\u0061ccount":"10000001"}', ['/account: It occurs more than once.']],
      ['{"x":1,"account":null}', ['/account: Expected text.', '/x: The service has no such parameter.']],
      ['{"__proto__":1,"account":"10000001"}', ['/__proto__: The service has no such parameter.']],
      ['[]', [': Expected an object.']],
      ['null', [': Expected an object.']],
      ['"text"', [': Expected an object.']],
    ];
    for (const [body, expected] of cases) {
      const reply = await inquire(body);
      expect(reply.status, body).to.equal(422);
      const problem = problemOf(reply);
      expect(problem.code).to.equal('service-parameters');
      const errors = problem.errors as { pointer: string; detail: string }[];
      expect(
        errors.map(({ pointer, detail }) => `${pointer}: ${detail}`),
        body,
      ).to.deep.equal(expected);
    }
  });

  it('refuse bodies that are none, too large, or of another type', async () => {
    const large = (bytes: number) => `{"account":"10000001"}${' '.repeat(bytes - 22)}`;
    expect((await inquire(large(65_536))).status).to.equal(200);
    for (const [body, headers, status, code] of [
      [large(65_537), {}, 413, 'request-body-size'],
      [large(1_048_576), {}, 413, 'request-body-size'],
      ['{"account":', {}, 400, 'request-body'],
      ['{"account":"canary-in-a-body"', {}, 400, 'request-body'],
      ['account=10000001', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'request-body-type'],
      ['{}', { 'content-type': 'text/plain' }, 415, 'request-body-type'],
      ['{}', { 'content-encoding': 'gzip' }, 415, 'request-body-type'],
    ] as const) {
      const reply = await inquire(body, headers);
      expect([reply.status, problemOf(reply).code], body.slice(0, 40)).to.deep.equal([status, code]);
      expect(reply.text).to.not.include('canary');
    }
  });

  it('know what there is, and what is not', async () => {
    const list = (await site.request('/api/v1/services', { token })).body.services as { name: string }[];
    expect(list.map(({ name }) => name)).to.deep.equal([
      'account-inquiry',
      'account-update',
      'member-list',
      'secret-inquiry',
    ]);
    const { body } = await site.request(INQUIRY, { token });
    expect(body).to.deep.include({ name: 'account-inquiry', outcomes: [{ status: 404, code: 'account-not-found' }] });
    expect(body.parameters).to.deep.include({ required: ['account'], additionalProperties: false });
    for (const [path, method, status, code] of [
      ['/api/v1/services/none', 'POST', 404, 'service-unknown'],
      ['/api/v1/services/sign-on', 'POST', 404, 'service-unknown'],
      ['/api/v1/services/Account-Inquiry', 'GET', 404, 'service-unknown'],
      ['/api/v1/services/account-inquiry/more', 'GET', 404, 'template-unknown'],
      ['/api/v1/none', 'GET', 404, 'template-unknown'],
      ['/api/v1', 'GET', 404, 'template-unknown'],
      ['/api/v1/services+TSO', 'GET', 404, 'template-unknown'],
      // before a router has it
      ['/api/v1//services', 'GET', 400, 'request-path'],
      ['/api/v1/services/%FF', 'GET', 400, 'request-encoding'],
      ['/api/v1/services?x=%00', 'GET', 400, 'request-parameters'],
      ['/api/v1/services', 'POST', 405, 'request-method'],
      [INQUIRY, 'DELETE', 405, 'request-method'],
    ] as const) {
      const reply = await site.request(path, { token, method });
      expect([reply.status, problemOf(reply).code], path).to.deep.equal([status, code]);
    }
  });

  it('show no screen once a secret was typed, and say so; before, they do', async () => {
    const call = () =>
      site.request('/api/v1/services/secret-inquiry', { token: seeing, body: { account: '87654329' } });
    site.relay.arm('faulty', 0);
    const before = problemOf(await call());
    expect([before.status, before.step]).to.deep.equal([502, 1]);
    expect(before).to.have.property('screen');
    expect(before).to.not.have.property('screenLeftOut');
    const problem = problemOf(await call());
    expect(problem).to.include({ status: 409, code: 'guard-failed', step: 2 });
    expect(problem.screenLeftOut).to.equal('A secret parameter was already sent to the host.');
    expect(problem.differs).to.deep.equal([{ screen: 'ACCOUNT' }]);
    expect(problem).to.not.have.property('screen');
    expect(site.written()).to.not.include('87654329');
  });

  describe('where the host fails', () => {
    const expected = { cut: [502, 'host-gone'], faulty: [502, 'screen-fault'] } as const;
    for (const fault of ['cut', 'faulty'] as const) {
      for (const at of [0, 1]) {
        it(`at step ${at + 1} (${fault}) tell it, and serve the next call`, async () => {
          site.relay.arm(fault, at);
          const reply = await site.request(INQUIRY, { token: seeing, body: { account: '10000001' } });
          const problem = problemOf(reply);
          expect([reply.status, problem.code, problem.step]).to.deep.equal([...expected[fault], at + 1]);
          expect('screen' in problem).to.equal(fault === 'faulty');
          expect((await inquire({ account: '10000001' })).status).to.equal(200);
        });
      }
    }
    for (const fault of ['silent', 'locked'] as const) {
      for (const at of [0, 1]) {
        it(`at step ${at + 1} (${fault}) tell it, and serve the next call`, async () => {
          site.relay.arm(fault, at);
          const reply = await inquire({ account: '10000001' });
          const problem = problemOf(reply);
          expect([reply.status, problem.code, problem.step]).to.deep.equal([504, 'host-silent', at + 1]);
          expect(problem).to.not.have.property('screen');
          expect((await inquire({ account: '10000001' })).status).to.equal(200);
        }).timeout(30_000);
      }
    }
  });

  describe('afterwards', () => {
    it('are in the request log, with service, pool, outcome and time', async () => {
      const calls = await site.calls(4);
      expect(calls[0]).to.include({ service: 'account-inquiry', pool: 'ACCOUNTS', outcome: 'done', status: 200 });
      expect(calls[0]?.milliseconds).to.be.a('number');
      expect(calls.map(({ outcome }) => outcome))
        .to.include('account-not-found')
        .and.include('host-gone');
      for (const secret of [token, seeing]) expect(site.written()).to.not.include(secret);
    });

    it('are there, too, where they were refused, or had their answer before', async () => {
      const before = (await site.calls(4)).length;
      const path = '/api/v1/services/account-inquiry';
      const headers = { 'Idempotency-Key': 'logged' };
      for (const account of ['1', '10000001', '10000001', '10000002'])
        await site.request(path, { token, body: { account }, headers });
      const calls = (await site.calls(before + 4)).slice(before);
      expect(calls.map(({ service, pool, status, outcome }) => [service, pool, status, outcome])).to.deep.equal([
        ['account-inquiry', 'ACCOUNTS', 422, 'refused'],
        ['account-inquiry', 'ACCOUNTS', 200, 'done'],
        ['account-inquiry', 'ACCOUNTS', 200, 'repeated'],
        ['account-inquiry', 'ACCOUNTS', 422, 'refused'],
      ]);
    });
  });
});
