import type { PoolReport } from '../../operation/server-figures.js';
import type { PortalWording } from '../words/portal-wording.js';
import { poolPath, redirectTo } from './portal-paths.js';
import { confirmation, factOf, type PageVariables, type PortalOutcome, type PortalRequest } from './portal-route.js';

/** Where pools are shown. */
const POOLS = '/lines';

export function poolDrainPage({ portal, segment, words }: PortalRequest): PortalOutcome {
  const pool = portal.pools.report(segment('name'));
  const { name, free, lent, waiting } = pool;
  const refusal = portal.pools.whyNotDrain(pool);
  return confirmation({
    title: words.text('pool.drain', { name }),
    facts:
      refusal === undefined
        ? [
            words.counted('pool.drainFree', free),
            words.counted('pool.drainLent', lent),
            words.counted('pool.drainWaiting', waiting),
            words.text('pool.drainUntil'),
          ]
        : [factOf(refusal, words)],
    action: `${poolPath(name)}/drain`,
    button: refusal === undefined ? words.text('pool.drainButton', { name }) : undefined,
    back: POOLS,
  });
}

export function poolResumptionPage({ portal, segment, words }: PortalRequest): PortalOutcome {
  const pool = portal.pools.report(segment('name'));
  const refusal = portal.pools.whyNotResume(pool);
  return confirmation({
    title: words.text('pool.resume', { name: pool.name }),
    facts: [refusal === undefined ? words.text('pool.resumeEffect') : factOf(refusal, words)],
    action: `${poolPath(pool.name)}/resume`,
    button: refusal === undefined ? words.text('pool.resumeButton') : undefined,
    back: POOLS,
    destroys: false,
  });
}

export function poolDrained(): PortalOutcome {
  return redirectTo(POOLS, 'pool-drained');
}

export function poolResumed(): PortalOutcome {
  return redirectTo(POOLS, 'pool-resumed');
}

/** The state of pools, and the operations on each. */
export function poolVariables(pools: readonly PoolReport[], words: PortalWording): PageVariables {
  return {
    $POOL$: pools.map(({ name }) => name),
    '$POOL-HOST$': pools.map(({ host }) => host),
    '$POOL-FREE$': pools.map(({ free }) => words.number(free)),
    '$POOL-LENT$': pools.map(({ lent }) => words.number(lent)),
    '$POOL-BETWEEN$': pools.map(({ between }) => words.number(between)),
    '$POOL-MOST$': pools.map(({ most }) => words.number(most)),
    '$POOL-WAITING$': pools.map(({ waiting }) => words.number(waiting)),
    '$POOL-DRAINED$': pools.map(({ drained }) => (drained ? words.text('pool.drained') : '')),
    '$POOL-REFUSED$': pools.map(({ trouble, stoppedUsers }) => {
      if (stoppedUsers.length === 0) return trouble === undefined ? '–' : '';
      return words.text('pool.rejected', { names: stoppedUsers.join(', ') });
    }),
    '$POOL-FAULT$': pools.map(({ trouble = '' }) => trouble),
    '$POOL-ACT$': pools.map(({ drained }) => words.text(drained ? 'pool.resumeAct' : 'pool.drainAct')),
    '$POOL-ACT-PATH$': pools.map(({ name, drained }) => `${poolPath(name)}/${drained ? 'resume' : 'drain'}`),
  };
}
