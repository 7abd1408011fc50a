import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { ServiceSite } from './service-site.js';

/** Keys of a pool that change what its host sees, from the configuration to the wire. */
describe('keys of a pool', () => {
  let site: ServiceSite;

  before(async () => {
    site = await ServiceSite.open({ pool: 'ready: 1, most: 2, keepAliveSeconds: 1' });
  });
  after(() => site.stop());

  it('have as many sessions signed on as are kept ready, and no more than there may be', async () => {
    await eventually(() => (site.relay.connections === 1 ? true : undefined));
    const token = await site.token('services');
    const body = { account: '10000001' };
    let most = 0;
    const calls = Array.from({ length: 6 }, async () => {
      const { status } = await site.request('/api/v1/services/account-inquiry', { token, body });
      most = Math.max(most, site.relay.connections);
      return status;
    });
    expect(await Promise.all(calls)).to.deep.equal(Array.from({ length: 6 }, () => 200));
    expect(most).to.be.at.most(2);
  });

  it('keep sessions alive that nobody uses: keepAliveSeconds', async () => {
    const before = site.relay.noOperations;
    await eventually(() => (site.relay.noOperations > before ? true : undefined));
  });
});

describe('time limits of a pool', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open({ pool: 'ready: 0, most: 1, waitSeconds: 1, checkoutSeconds: 3' });
    token = await site.token('services');
  });
  after(() => site.stop());

  const call = () => site.request('/api/v1/services/account-inquiry', { token, body: { account: '10000001' } });

  it('turn away who waits longer than waitSeconds, end who has a session longer than checkoutSeconds, and serve the next', async () => {
    // the reply to the query of the host, and Enter
    const recordsOfSignOn = 2;
    site.relay.arm('silent', recordsOfSignOn);
    const silent = call();
    // the one session is being signed on for that call
    await eventually(() => (site.relay.connections === 1 ? true : undefined));
    const waiting = await call();
    expect(waiting.status).to.equal(503);
    expect(waiting.body).to.include({ code: 'pool-empty' });
    expect(Number(waiting.headers.get('retry-after'))).to.be.at.least(1);
    const ended = await silent;
    // the step itself would wait for 5 seconds
    expect(ended.status).to.equal(504);
    expect(ended.body.detail).to.match(/3 seconds/);
    expect((await call()).status).to.equal(200);
  });
});
