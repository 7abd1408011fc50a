import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { ServiceSite } from './service-site.js';

const UPDATE = '/api/v1/services/account-update';
/** Its attention identifier (GA23-0059). */
const PF5 = 0xf5;
const INQUIRY = '/api/v1/services/account-inquiry';

describe('calls with an Idempotency-Key', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open({ pool: 'ready: 1, most: 1, waitSeconds: 1' });
    token = await site.token('services');
  });
  after(() => site.stop());

  const call = (path: string, body: unknown, key: string, by = token) =>
    site.request(path, { token: by, body, headers: { 'idempotency-key': key } });

  it('are carried out once, and answered alike from then on, also by the next process', async () => {
    const body = { account: '10000001', limit: '77.50' };
    const first = await call(UPDATE, body, 'key-1');
    expect(first.status).to.equal(200);
    // the session may still be on its way home; PF5 writes the change
    const writes = () => site.relay.pressed.filter((aid) => aid === PF5).length;
    expect(writes()).to.equal(1);
    const again = await call(UPDATE, body, 'key-1');
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(writes()).to.equal(1);
    const missing = await call(INQUIRY, { account: '99999999' }, 'key-2');
    await site.stopServer();
    await site.start(site);
    expect((await call(UPDATE, body, 'key-1')).text).to.equal(first.text);
    const missingAgain = await call(INQUIRY, { account: '99999999' }, 'key-2');
    expect([missingAgain.status, missingAgain.text]).to.deep.equal([404, missing.text]);
    expect(missingAgain.headers.get('content-type')).to.equal('application/problem+json');
  });

  it('are refused with another body or service, and are those of one caller', async () => {
    await call(INQUIRY, { account: '10000001' }, 'key-3');
    for (const [path, body] of [
      [INQUIRY, { account: '10000002' }],
      [UPDATE, { account: '10000001', limit: '1' }],
    ] as const) {
      const reply = await call(path, body, 'key-3');
      expect([reply.status, reply.body.code]).to.deep.equal([422, 'idempotency-reused']);
    }
    const other = await site.token('services');
    expect((await call(INQUIRY, { account: '10000002' }, 'key-3', other)).status).to.equal(200);
  });

  it('are told that the first one is running, and go on without their client', async () => {
    site.relay.arm('silent', 1);
    const before = site.relay.records;
    const leaving = new AbortController();
    const first = site
      .request(INQUIRY, {
        token,
        body: { account: '10000001' },
        headers: { 'idempotency-key': 'key-4' },
        signal: leaving.signal,
      })
      .catch(() => undefined);
    // whichever comes first to the server would be the first
    await eventually(() => (site.relay.records > before ? true : undefined));
    const second = async () => call(INQUIRY, { account: '10000001' }, 'key-4');
    let reply = await second();
    while (reply.status !== 409) reply = await second();
    expect(reply.body.code).to.equal('idempotency-running');
    leaving.abort();
    await first;
    while (reply.status === 409) reply = await second();
    expect([reply.status, reply.body.code]).to.deep.equal([504, 'host-silent']);
  }).timeout(30_000);

  it('have a key of 1 to 255 visible characters', async () => {
    expect((await call(INQUIRY, { account: '10000001' }, 'k'.repeat(255))).status).to.equal(200);
    for (const key of ['', 'k'.repeat(256), 'two words', 'ä']) {
      const reply = await call(INQUIRY, { account: '10000001' }, key);
      expect([reply.status, reply.body.code], key).to.deep.equal([400, 'idempotency-key']);
    }
  });

  it('are kept without keys, parameters and tokens', () => {
    const written = site.written();
    for (const secret of ['key-1', '10000001', token]) expect(written).to.not.include(secret);
  });
});

describe('a call with an Idempotency-Key that comes to no answer of its host', () => {
  const body = { account: '10000001', limit: '77.50' };
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open({ pool: 'ready: 0, most: 1, waitSeconds: 1, checkoutSeconds: 4' });
    token = await site.token('services');
  });
  after(() => site.stop());

  const call = (key: string) => site.request(UPDATE, { token, body, headers: { 'idempotency-key': key } });
  const writes = () => site.relay.pressed.filter((aid) => aid === PF5).length;

  for (const [fault, status, code] of [
    ['silent', 504, 'call-overtime'],
    ['cut', 502, 'host-gone'],
    ['faulty', 502, 'screen-fault'],
  ] as const) {
    it(`is not made again where the host had the change: ${fault}`, async () => {
      const before = writes();
      // a new session answers a query and signs on by ENTER; menu and account follow, and PF5 writes the change
      site.relay.arm(fault, 4);
      const first = await call(fault);
      expect([first.status, first.body.code]).to.deep.equal([status, code]);
      expect(writes()).to.equal(before + 1);
      const again = await call(fault);
      expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(writes()).to.equal(before + 1);
    }).timeout(20_000);
  }

  it('is made where no session was free before', async () => {
    const before = writes();
    site.relay.arm('silent', 4);
    const holding = site.request(UPDATE, { token, body });
    await eventually(() => (writes() > before ? true : undefined));
    const refused = await call('later');
    expect([refused.status, refused.body.code]).to.deep.equal([503, 'pool-empty']);
    expect((await holding).status).to.equal(504);
    const made = await call('later');
    expect(made.status).to.equal(200);
    expect(made.headers.get('idempotent-replayed')).to.equal(null);
    expect(writes()).to.equal(before + 2);
  }).timeout(20_000);
});
