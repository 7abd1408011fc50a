import { SCENARIO_REFUSED } from '../../services/scenario-calls.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
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
