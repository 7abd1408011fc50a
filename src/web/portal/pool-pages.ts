import type { PoolReport } from '../../operation/server-figures.js';
import { poolPath, redirectTo } from './portal-paths.js';
import { confirmation, type PageVariables, type PortalOutcome, type PortalRequest } from './portal-route.js';
import { counted } from './wording.js';

/** Where pools are shown. */
const POOLS = '/lines';

export function poolDrainPage({ portal, segment }: PortalRequest): PortalOutcome {
  const pool = portal.pools.report(segment('name'));
  const { name, free, lent, waiting } = pool;
  const refusal = portal.pools.whyNotDrain(pool);
  return confirmation({
    title: `Drain pool ${name}?`,
    facts:
      refusal === undefined
        ? [
            `Its ${counted(free, 'idle session')} sign off at once, ${counted(lent, 'busy one')} when their calls are over.`,
            `Further calls of its services are refused with 503, and so are ${counted(waiting, 'call')} that wait now.`,
            'It stays drained until the drain is ended here, or the server is started again.',
          ]
        : [refusal],
    action: `${poolPath(name)}/drain`,
    button: refusal === undefined ? `Drain ${name}` : undefined,
    back: POOLS,
  });
}

export function poolResumptionPage({ portal, segment }: PortalRequest): PortalOutcome {
  const pool = portal.pools.report(segment('name'));
  const refusal = portal.pools.whyNotResume(pool);
  return confirmation({
    title: `End the drain of pool ${pool.name}?`,
    facts: [refusal ?? 'Its sessions sign on again, and its services are called again.'],
    action: `${poolPath(pool.name)}/resume`,
    button: refusal === undefined ? 'End the drain' : undefined,
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

/** How pools do, and what can be done with each. */
export function poolVariables(pools: readonly PoolReport[]): PageVariables {
  return {
    $POOL$: pools.map(({ name }) => name),
    '$POOL-HOST$': pools.map(({ host }) => host),
    '$POOL-FREE$': pools.map(({ free }) => String(free)),
    '$POOL-LENT$': pools.map(({ lent }) => String(lent)),
    '$POOL-BETWEEN$': pools.map(({ between }) => String(between)),
    '$POOL-MOST$': pools.map(({ most }) => String(most)),
    '$POOL-WAITING$': pools.map(({ waiting }) => String(waiting)),
    '$POOL-DRAINED$': pools.map(({ drained }) => (drained ? 'Drained' : '')),
    '$POOL-FAULT$': pools.map(
      ({ trouble, stoppedUsers }) =>
        [
          ...(trouble === undefined ? [] : [trouble]),
          ...(stoppedUsers.length === 0 ? [] : [`refused too often: ${stoppedUsers.join(', ')}`]),
        ].join('; ') || '–',
    ),
    '$POOL-ACT$': pools.map(({ drained }) => (drained ? 'End the drain …' : 'Drain …')),
    '$POOL-ACT-PATH$': pools.map(({ name, drained }) => `${poolPath(name)}/${drained ? 'resume' : 'drain'}`),
  };
}
