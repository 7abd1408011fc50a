import { expect } from 'chai';
import { failover } from '../../bench/scale/failover.js';
import { need } from '../support/need.js';
import { postgresqlFolder } from '../support/postgresql.js';
import { isInstalled } from '../support/real-proxy.js';

/** The short form of `npm run bench:scale`. */
describe('servers behind HAProxy with PostgreSQL', () => {
  before(function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    need(this, isInstalled('haproxy'), 'HAProxy is not installed');
  });

  it('fail no request but those of sessions of a server that is killed, and lose no write that was acknowledged', async () => {
    const { load, writes, exitCodes, signOns, signOnsKept, auditEntries } = await failover({
      nodes: 2,
      writers: 8,
      sessions: 12,
      rate: 10,
      thinkMilliseconds: 500,
      quietMilliseconds: 1_000,
      told: () => {},
    });
    expect(load.failures).to.deep.equal([]);
    expect(load.ownLost).to.be.greaterThan(0);
    expect(load.left).to.be.greaterThan(0);
    expect(load.answered.scenario).to.be.greaterThan(10);
    expect(exitCodes).to.deep.equal([0, 0]);
    expect(signOnsKept).to.equal(signOns);
    expect(writes.wrong).to.deep.equal([]);
    expect(writes.acknowledged).to.be.greaterThan(8);
    expect(writes.reads).to.be.greaterThan(16);
    expect(auditEntries).to.be.greaterThan(writes.acknowledged);
  });
});
