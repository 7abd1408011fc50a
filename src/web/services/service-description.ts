import { SCENARIO_REFUSED } from '../../services/scenario-calls.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import type { ClientSite, SiteServices } from '../http/client-site.js';
import type { ApiCaller } from './api-caller.js';
import { extractsSchema, parametersSchema } from './service-schema.js';

/** A service in the list of all. */
export function listedService({ name, description }: ServiceDefinition): object {
  return { name, description, path: servicePath(name) };
}

/** What a program needs to call a service. How its screens are walked is nobody's business. */
export function describedService(service: ServiceDefinition): object {
  return {
    ...listedService(service),
    parameters: parametersSchema(service),
    answer: extractsSchema(service),
    outcomes: outcomesOf(service),
  };
}

export function servicePath(name: string): string {
  return `/api/v1/services/${name}`;
}

/** Ends of its own that a service has, each once. */
export function outcomesOf({ work }: ServiceDefinition): readonly { readonly status: number; readonly code: string }[] {
  if (work.kind === 'scenario') return [{ status: 400, code: SCENARIO_REFUSED }];
  const found = new Map<string, { readonly status: number; readonly code: string }>();
  for (const { outcomes } of work.steps) {
    for (const { status, code } of outcomes.values()) found.set(`${status} ${code}`, { status, code });
  }
  return [...found.values()];
}

/** The services that an entry point offers, in the order of their names. */
function ofEntryPoint({ entryPoint }: ClientSite, { calls }: SiteServices): readonly ServiceDefinition[] {
  const { services } = entryPoint.definition;
  if (services === undefined) return [];
  return [...calls.definitions.values()]
    .filter(({ name }) => services === true || services.includes(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What there is for a caller. */
export function offeredServices(
  site: ClientSite,
  services: SiteServices,
  caller: ApiCaller,
): readonly ServiceDefinition[] {
  return ofEntryPoint(site, services).filter(({ name }) => caller.mayCall(name));
}

/** Whether the entry point has a service, whoever may call it. */
export function hasService(site: ClientSite, services: SiteServices, name: string): boolean {
  return ofEntryPoint(site, services).some((service) => service.name === name);
}
