import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import type { Configuration } from '../../config/configuration.js';
import { logFieldEncryption } from '../../crypto/crypt-definition.js';
import type { Log } from '../../lib/log/log.js';
import { noMetrics } from '../../lib/metrics.js';
import type { NeedsRestart } from '../../operation/configuration-operations.js';
import { BrowserSessions } from '../../sessions/browser-sessions.js';
import { needsRestartOutcome, type Part, type Replacement, unchanged } from '../part.js';

export class SessionsPart implements Part {
  readonly name = 'sessions';
  readonly reads = ['sessions', 'tct', 'node'] as const;
  readonly service: BrowserSessions;
  readonly #log: Log;
  readonly #settings: Pick<Configuration, 'sessions' | 'tct' | 'node'>;

  constructor({ sessions, tct, node }: Configuration, log: Log, metrics = noMetrics) {
    this.#log = log;
    this.#settings = { sessions, tct, node };
    this.service = new BrowserSessions({
      crypts: tct.crypts,
      keyPool: { ready: sessions.keysReady, waiting: sessions.keysWaiting },
      limits: { sessions: sessions.limit },
      node,
      log,
      metrics,
      prepare: makeAllObjectsYoung,
    });
  }

  async start(): Promise<void> {
    for (const definition of this.#settings.tct.crypts) logFieldEncryption(this.#log, definition);
    this.service.open();
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  async replace({ sessions, tct, node }: Configuration): Promise<Replacement> {
    const needsRestart: NeedsRestart[] = [];
    if (!isDeepStrictEqual(sessions, this.#settings.sessions))
      needsRestart.push({ what: 'sessions', reason: 'the count and the keys of open sessions depend on it' });
    if (!this.hasCrypts(tct))
      needsRestart.push({ what: 'tct.crypts', reason: 'the keys of open sessions and sign-on forms depend on it' });
    if (node !== this.#settings.node)
      needsRestart.push({ what: 'cluster.node', reason: 'the codes of open sessions begin with it' });
    return needsRestart.length === 0 ? unchanged : needsRestartOutcome(...needsRestart);
  }

  hasCrypts({ crypts }: Configuration['tct']): boolean {
    return isDeepStrictEqual(crypts, this.#settings.tct.crypts);
  }
}

/**
 * V8 allocates objects in the old generation if most earlier objects of the same code became old. With thousands of
 * sessions, this includes short-lived objects of transactions, which then need a full garbage collection
 * (docs/develop/measurements/sessions.md). Without sessions, V8 may do so: scenarios are slightly faster.
 */
function makeAllObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
