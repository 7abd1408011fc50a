import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SharedStores } from '../../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../../config/configuration.js';
import type { EntryPointDefinition } from '../../lines/entry-point/entry-point.js';
import { FileIdempotencyStore, IDEMPOTENCY_NAME } from '../../services/file-idempotency-store.js';
import type { IdempotencyStore } from '../../services/idempotency-store.js';
import type { SiteServices } from '../../web/http/client-site.js';
import { OwnSessions } from '../../web/services/own-sessions.js';
import { type Part, type Replacement, refused, unchanged } from '../part.js';
import { PostedSteps } from './posted-steps.js';
import type { ServicesPart } from './services-part.js';

/** What services over HTTP need besides the services: answers that are kept, and sessions of programs. */
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

  /** What a line is given of them, as they are now. */
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

  /** Names of the parameters of services that are secret, in lower case. */
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
    return refused({ what: 'data', reason: 'answers that were given are kept there' });
  }
}
