import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.js';
import { SessionOperations } from '../../operation/session-operations.js';
import { TraceOperations } from '../../operation/trace-operations.js';
import type { SiteOperation } from '../../web/http/client-site.js';
import { type Part, unchanged } from '../part.js';
import { ServerSessions } from './live-sessions.js';
import type { SecurityPart } from './security-part.js';
import type { ServicesPart } from './services-part.js';
import type { SessionsPart } from './sessions-part.js';
import { TraceFolder } from './trace-folder.js';

interface OperatedParts {
  readonly security: SecurityPart;
  readonly sessions: SessionsPart;
  readonly services: ServicesPart;
}

/** What operators do with a server that runs. */
export class OperationPart implements Part {
  readonly name = 'operation';
  readonly reads = [] as const;
  readonly #parts: OperatedParts;
  readonly #folder: TraceFolder;
  #site: SiteOperation | undefined;

  constructor({ data }: Configuration, parts: OperatedParts) {
    this.#folder = new TraceFolder(join(data, 'traces'));
    this.#parts = parts;
  }

  /** What portal lines are given of it. */
  get site(): SiteOperation {
    if (this.#site === undefined) throw new Error('the users are not open');
    return this.#site;
  }

  async start(): Promise<void> {
    const { security, sessions, services } = this.#parts;
    const live = new ServerSessions(sessions.service, () => services.pools);
    const { audit } = security.users;
    this.#site = {
      sessions: new SessionOperations(live, audit),
      traces: new TraceOperations(live, this.#folder, audit),
    };
  }

  async stop(): Promise<void> {
    await this.#site?.traces.close();
  }

  async replace() {
    return unchanged;
  }
}
