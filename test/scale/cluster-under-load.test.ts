import { expect } from 'chai';
import { consistency } from '../../bench/scale/consistency.js';
import { failover } from '../../bench/scale/failover.js';
import { killedWorkers } from '../../bench/scale/killed-workers.js';
import type { RegisterFigures } from '../../bench/scale/registers.js';
import { need } from '../support/need.js';
import { postgresqlFolder } from '../support/postgresql.js';
import { isInstalled } from '../support/real-proxy.js';

/** The short form of `npm run bench:scale`. */
const SEED = 5;
const told = () => {};

/** Nobody has read what was not written, or has not read what was acknowledged; @param least that were */
function itIsKept({ wrong, acknowledged, reads }: RegisterFigures, least: number): void {
  expect(wrong).to.deep.equal([]);
  expect(acknowledged).to.be.greaterThan(least);
  expect(reads).to.be.greaterThan(2 * least);
}

describe('servers behind HAProxy with PostgreSQL', () => {
  before(function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    need(this, isInstalled('haproxy'), 'HAProxy is not installed');
  });

  it('fail no request but those of sessions of a server that is killed, and lose no write that was acknowledged', async () => {
    const { load, writes, exitCodes, signOns, signOnsKept, auditEntries } = await failover({
      nodes: 2,
      writers: 5,
      sessions: 8,
      rate: 5,
      thinkMilliseconds: 500,
      quietMilliseconds: 1_000,
      told,
    });
    expect(load.failures).to.deep.equal([]);
    expect(load.ownLost).to.be.greaterThan(0);
    expect(load.left).to.be.greaterThan(0);
    expect(load.answered.scenario).to.be.greaterThan(10);
    expect(exitCodes).to.deep.equal([0, 0]);
    expect(signOnsKept).to.equal(signOns);
    itIsKept(writes, 8);
    expect(auditEntries).to.be.greaterThan(writes.acknowledged);
  });

  it('keep what was acknowledged while they are killed, stand still, and are cut off from PostgreSQL, in any order', async () => {
    const figures = await consistency({
      nodes: 2,
      clients: 5,
      milliseconds: 4_000,
      seed: SEED,
      quietMilliseconds: 300,
      told,
    });
    itIsKept(figures, 4);
    expect(figures.auditEntries).to.be.greaterThan(figures.acknowledged);
  });

  it('have all their workers again, of which one is killed every second, and what was acknowledged', async () => {
    const { writes, killed, serving, auditEntries } = await killedWorkers({
      workers: 2,
      sessions: 4,
      rate: 2,
      seconds: 3,
      told,
    });
    expect(killed).to.be.greaterThan(0);
    expect(serving).to.equal(2);
    itIsKept(writes, 4);
    expect(auditEntries).to.be.greaterThan(writes.acknowledged);
  });
});
