import { expect } from 'chai';
import { OPERATOR, ServiceSite } from './service-site.js';

/** Puts what the scenario finds in headers into the fields of the sign-on screen, which shows them. */
const SHOWS = `         SCENARIO INITIAL
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(HTTP-HEADER,'authorization'),VAR='SECRET'
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(HTTP-HEADER,'x-branch'),VAR='BRANCH'
         ERROR$ 0,'authorization: <','*SECRET','> branch: <','*BRANCH','>'
         SCENARIO END
`;
const basic = `Basic ${Buffer.from(`${OPERATOR.name}:${OPERATOR.password}`).toString('base64')}`;

describe('sessions of programs, and their access', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open({
      scenarios: { SHOWS },
      entryPoint: '    services: true\n    serviceUsers: true',
      transactions: [
        ...[0, 1, 2, 3, 4, 5].map(
          (level) => `      S${level}: { applicationType: 1, application: SIM, security: ${level} }`,
        ),
        "      SHOWS: { applicationType: 1, application: SIM, initialScenario: SHOWS, tioaAtLogon: '&/S' }",
      ].join('\n'),
    });
    await site.addUsers();
    token = await site.token('sessions');
  });
  after(() => site.stop());

  const begin = (transaction: string, authorization: string, headers = {}) =>
    site.request('/api/v1/sessions', { body: { transaction }, headers: { authorization, ...headers } });

  it('are told to scenarios with the headers of the request, but without Authorization', async () => {
    for (const authorization of [`Bearer ${token}`, basic]) {
      const before = site.logTexts.length;
      expect((await begin('SHOWS', authorization, { 'x-branch': 'B-0815' })).status).to.equal(201);
      expect(site.logTexts.slice(before).join('\n')).to.include('authorization: <> branch: <B-0815>');
    }
    expect(site.written()).to.not.include(token).and.not.include(basic.slice('Basic '.length));
  });

  /** By level: of a program with a token, which is no user, and of a user with HTTP Basic. */
  const expected: Readonly<Record<number, readonly [number, number]>> = {
    0: [201, 201],
    1: [403, 201],
    2: [403, 403],
    3: [403, 403],
    4: [403, 201],
    5: [403, 201],
  };
  for (const level of [0, 1, 2, 3, 4, 5]) {
    it(`of a transaction with security ${level}: ${expected[level]?.join(' for a program, and for a user ')}`, async () => {
      const replies = [await begin(`S${level}`, `Bearer ${token}`), await begin(`S${level}`, basic)];
      expect(replies.map(({ status }) => status)).to.deep.equal(expected[level]);
      for (const { body } of replies.filter(({ status }) => status === 403)) {
        expect(body.code).to.equal('transaction-secured');
        expect(body).to.not.have.property('handle');
      }
    });
  }
});
