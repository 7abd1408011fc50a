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
