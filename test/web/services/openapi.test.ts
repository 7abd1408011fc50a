import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { ServiceSite } from './service-site.js';

const ODD = `service: odd
description: A parameter of each type, and a secret.
pool: ACCOUNTS
parameters:
  text: { type: string, minLength: 1, maxLength: 8, default: a }
  choice: { type: string, enum: [one, two], required: false }
  whole: { type: integer, minimum: 0, maximum: 99, required: false }
  amount: { type: decimal, minimum: 0, required: false }
  day: { type: date, required: false }
  flag: { type: boolean, required: false }
  pass: { type: string, maxLength: 20, secret: true }
steps:
  - at: MENU
    type: '{text}{choice}{whole}{amount}{day}{flag}'
    press: PF12
    expect: ACCT
`;
const SECRET_IN_FIELD = `service: secret
description: Types its secret where everybody sees it, and expects another screen.
pool: ACCOUNTS
parameters:
  pass: { type: string, maxLength: 20, secret: true }
steps:
  - at: MENU
    type: '{pass}'
    press: Enter
    expect: ACCT
`;

describe('what services are described with', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open({
      pool: 'ready: 1, most: 1, waitSeconds: 1',
      entryPoint: '    services: true\n    serviceUsers: true',
      services: { 'odd.yaml': ODD, 'secret.yaml': SECRET_IN_FIELD },
    });
    token = await site.token('services', 'sessions', 'screens');
  });
  after(() => site.stop());

  it('is OpenAPI 3.1, in the eyes of a validator', async () => {
    const { body } = await site.request('/api/v1/openapi.json', { token });
    const { valid, errors } = await new Validator().validate({ ...body });
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
    expect(body.openapi).to.equal('3.1.0');
    const paths = body.paths as Record<string, { post: Record<string, unknown> }>;
    expect(paths).to.have.property('/api/v1/services/odd');
    expect(JSON.stringify(paths['/api/v1/services/account-inquiry'])).to.include('^[0-9]{8}$').and.include('balance');
    const schema = JSON.stringify(paths['/api/v1/services/odd']);
    expect(schema).to.include('"enum":["one","two"]').and.include('"format":"date"').and.include('"writeOnly":true');
  });

  it('has every answer that a call can get', async () => {
    const { body: document } = await site.request('/api/v1/openapi.json', { token });
    const paths = document.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>;
    const promised = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});
    const sessions = '/api/v1/sessions';
    const begun = await site.request(sessions, { token, body: { transaction: 'TSO' } });
    expect(begun.status, begun.text).to.equal(201);
    const session = `${sessions}/${begun.body.handle}`;
    for (const [path, method, url] of [
      ['/api/v1/services/odd', 'post', '/api/v1/services/odd'],
      [sessions, 'post', sessions],
      [`${sessions}/{handle}/steps`, 'post', `${session}/steps`],
    ] as const) {
      const { status } = await site.request(url, { token, body: '{' });
      expect(promised(path, method)).to.include(String(status));
    }
    const outcome = { status: 418, code: 'signed-off', message: 'It is over.' };
    const step = { at: 'SIGN-ON', press: 'PF12', expect: 'MENU', outcomes: { 'SIGN-ON': outcome } };
    const { status } = await site.request(`${session}/steps`, { token, body: [step] });
    expect(status).to.equal(418);
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) expect(promised(path, method), path).to.include('default');
  });

  it('is a page for people, under the policy of pages', async () => {
    const { status, headers, text } = await site.request('/api/v1/', { token });
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/html']);
    expect(headers.get('content-security-policy')).to.include("script-src 'self'");
    expect(text).to.include('account-inquiry').and.include('404 account-not-found').and.not.include('<script');
    const refused = await site.request('/api/v1/');
    expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([401, 'text/html']);
  });

  it('keeps secrets out of problems, pictures and logs', async () => {
    const pass = 'Canary-77';
    const { status, body, text } = await site.request('/api/v1/services/secret', { token, body: { pass } });
    expect([status, body.code, body.expected]).to.deep.equal([409, 'guard-failed', ['ACCT']]);
    // the token may see screens, and the host may show any part of what was typed
    expect(body).to.not.have.property('screen');
    expect(body).to.have.property('screenLeftOut');
    expect(body.differs).to.deep.equal([{ screen: 'ACCT' }]);
    const blind = await site.token('services');
    const hidden = await site.request('/api/v1/services/secret', { token: blind, body: { pass } });
    expect(hidden.body).to.not.have.any.keys('screen', 'screenLeftOut');
    expect(hidden.body.differs).to.deep.equal([{ screen: 'ACCT' }]);
    const wrong = await site.request('/api/v1/services/secret', { token, body: { pass: pass.repeat(9) } });
    expect(wrong.status).to.equal(422);
    for (const said of [text, hidden.text, wrong.text, site.written()]) {
      expect(said.toUpperCase()).to.not.include(pass.toUpperCase());
    }
  }).timeout(20_000);

  it('tells when no session is free, and when to come again', async () => {
    const body = { account: '10000001' };
    site.relay.arm('silent', 0);
    const first = site.request('/api/v1/services/account-inquiry', { token, body });
    const reply = await site.request('/api/v1/services/account-inquiry', { token, body });
    const replies = [reply, await first].sort((one, other) => one.status - other.status);
    expect(replies.map((one) => [one.status, one.body.code])).to.deep.equal([
      [503, 'pool-empty'],
      [504, 'host-silent'],
    ]);
    expect(Number(replies[0]?.headers.get('retry-after'))).to.be.at.least(1);
  }).timeout(20_000);
});
