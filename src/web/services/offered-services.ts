import type { ServiceDefinition } from '../../services/service-definition.js';
import type { ClientSite, SiteServices } from '../http/client-site.js';
import type { ApiCaller } from './api-caller.js';

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
