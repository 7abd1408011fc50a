import type { ScenarioRequest } from '../../scenarios/scenario-outcome.js';
import type { ItemNames } from '../../templates/render.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import type { RequestInput } from './request-input.js';

/** What a scenario is told of a request. */
export function scenarioRequest(
  site: ClientSite,
  { id, incoming, target, body }: ClientRequest,
  names: ItemNames,
  { parameters, files }: RequestInput,
): ScenarioRequest {
  return {
    requestId: id,
    method: incoming.method ?? 'GET',
    path: target.path,
    query: target.query,
    parameters,
    headers: incoming.headers,
    body,
    files,
    names,
    directory: site.entryPoint.definition.directory,
  };
}
