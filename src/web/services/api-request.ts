import type { IncomingMessage } from 'node:http';
import type { ClientRequest, ServiceCallFacts } from '../http/client-request.js';
import type { ClientSite, SiteServices } from '../http/client-site.js';
import type { ApiCaller } from './api-caller.js';

/** A request below /api/v1/ from somebody who may make one. */
export interface ApiRequest {
  readonly site: ClientSite;
  readonly services: SiteServices;
  readonly caller: ApiCaller;
  readonly request: ClientRequest;
  readonly incoming: IncomingMessage;
  readonly requestId: string;
  /** Aborted when the client goes away before its answer is written. */
  readonly gone: AbortSignal;
  /** For the request log. */
  readonly told: (facts: ServiceCallFacts) => void;
}
