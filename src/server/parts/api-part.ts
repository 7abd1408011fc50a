import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SharedStores } from '../../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../../config/configuration.js';
import { readSteps } from '../../config/load-services.js';
import { type Orderer, WorkThreads } from '../../lib/turns/work-threads.js';
import type { EntryPointDefinition } from '../../lines/entry-point/entry-point.js';
import { FileIdempotencyStore, IDEMPOTENCY_NAME } from '../../services/file-idempotency-store.js';
import type { IdempotencyStore } from '../../services/idempotency-store.js';
import type { StepsReading } from '../../services/service-definition.js';
import type { ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import type { SiteServices } from '../../web/http/client-site.js';
import { OwnSessions } from '../../web/services/own-sessions.js';
import { needsRestartOutcome, type Part, type Replacement, unchanged } from '../part.js';
import { type KnownScreens, stepsReading } from './service-texts-work.js';
import type { ServicesPart } from './services-part.js';

/** Larger JSON documents are read on a thread: 64 KiB with a fault in each line take 50 ms. */
const LARGEST_READ_HERE_BYTES = 8_192;

class PostedSteps {
  readonly #screens: ReadonlyMap<string, ScreenDefinition>;
  #known: KnownScreens | undefined;

  constructor(screens: ReadonlyMap<string, ScreenDefinition>) {
    this.#screens = screens;
  }

  /**
   * @param bytes size of the JSON text
   * @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY, and the reason of the signal
   */
  async read(document: unknown, bytes: number, orderer: Orderer): Promise<StepsReading> {
    if (bytes <= LARGEST_READ_HERE_BYTES) return readSteps(document, this.#screens);
    this.#known ??= [...this.#screens.values()].map(({ name, conditions }) => [name, conditions.length]);
    return WorkThreads.ofUsers.run(stepsReading, { document, screens: this.#known }, orderer);
  }
}

export class ApiPart implements Part {
  readonly name = 'services over HTTP';
  readonly reads = ['data'] as const;
  readonly #data: string;
  readonly #services: ServicesPart;
  readonly #idempotency: IdempotencyStore;
  #close = async () => {};
  readonly #ownSessions = new OwnSessions();

  constructor({ data }: Configuration, services: ServicesPart, shared?: SharedStores) {
    this.#data = data;
    this.#services = services;
    if (shared !== undefined) {
      this.#idempotency = shared.idempotency;
      return;
    }
    const file = new FileIdempotencyStore(join(data, IDEMPOTENCY_NAME));
    this.#idempotency = file;
    this.#close = () => file.close();
  }

  siteOf({ services: offered }: EntryPointDefinition): SiteServices | undefined {
    if (offered === undefined) return undefined;
    const { calls } = this.#services;
    const { screens } = calls;
    return {
      calls,
      screens,
      idempotency: this.#idempotency,
      ownSessions: this.#ownSessions,
      steps: new PostedSteps(screens),
    };
  }

  get secretParameters(): ReadonlySet<string> {
    const { services } = this.#services.loaded;
    const secret = [...services.values()].flatMap(({ parameters }) =>
      [...parameters].filter(([, definition]) => definition.secret).map(([name]) => name.toLowerCase()),
    );
    return new Set(secret);
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.#close();
  }

  async replace({ data }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(data, this.#data)) return unchanged;
    return needsRestartOutcome({ what: 'data', reason: 'stored answers are kept there' });
  }
}
