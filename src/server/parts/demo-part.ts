import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import { DemoCurrencyService } from '../../demo/currency-service/demo-currency-service.js';
import type { Log } from '../../lib/log/log.js';
import { messageOf } from '../../lib/text/messages.js';
import { type Listener, needsRestartOutcome, type Part, type Replacement, unchanged } from '../part.js';

/** Demo currency service. If it cannot start, the rest of the server works. */
export class DemoPart implements Part {
  readonly name = 'demo service';
  readonly reads = ['demo'] as const;
  readonly #demo: Configuration['demo'];
  readonly #log: Log;
  #service: DemoCurrencyService | undefined;
  #url: string | undefined;

  constructor({ demo }: Configuration, log: Log) {
    this.#demo = demo;
    this.#log = log;
  }

  /** `host:port` for programs on this machine. A wildcard address becomes the loopback address. */
  get site(): string | undefined {
    return this.#url
      ?.replace('http://', '')
      .replace(/^0\.0\.0\.0(?=:)/, '127.0.0.1')
      .replace(/^\[::\](?=:)/, '[::1]');
  }

  get listeners(): readonly Listener[] {
    return this.#url === undefined ? [] : [{ name: 'demo', url: this.#url, purpose: 'demo currency service' }];
  }

  async start(): Promise<void> {
    const { currencyService } = this.#demo;
    if (currencyService === undefined) return;
    const service = new DemoCurrencyService({ ...currencyService, log: this.#log });
    try {
      this.#url = (await service.start()).url;
      this.#service = service;
    } catch (error) {
      const reason = messageOf(error);
      this.#log.error(
        { reason, ...currencyService },
        'the demo currency service did not start; all other parts are running',
      );
    }
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
  }

  async replace({ demo }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(demo, this.#demo)) return unchanged;
    return needsRestartOutcome({ what: 'demo', reason: 'its port would be closed during calls' });
  }
}
