import type { FileEncoding, ParameterDefinition } from '../../services/parameter.js';
import { SCENARIO_REFUSED } from '../../services/scenario-calls.js';
import type { ExtractDefinition, ServiceDefinition } from '../../services/service-definition.js';
import type { Extract as ScreenExtract } from '../../tn3270/conversation/extract.js';
import type { ClientSite, SiteServices } from '../http/client-site.js';
import type { ApiCaller } from './api-caller.js';

export function listedService({ name, description }: ServiceDefinition): object {
  return { name, description, path: servicePath(name) };
}

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

export function outcomesOf({ work }: ServiceDefinition): readonly { readonly status: number; readonly code: string }[] {
  if (work.kind === 'scenario') return [{ status: 400, code: SCENARIO_REFUSED }];
  const found = new Map<string, { readonly status: number; readonly code: string }>();
  for (const { outcomes } of work.steps) {
    for (const { status, code } of outcomes.values()) found.set(`${status} ${code}`, { status, code });
  }
  return [...found.values()];
}

export type JsonSchema = Readonly<Record<string, unknown>>;

const DECIMAL_PARAMETER = '^-?[0-9]{1,30}(?:\\.[0-9]{1,30})?$';
const DECIMAL_VALUE = '^-?[0-9]+(?:\\.[0-9]+)?$';

export function parametersSchema({ parameters }: ServiceDefinition): JsonSchema {
  const required = [...parameters].filter(([, { required }]) => required).map(([name]) => name);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries([...parameters].map(([name, definition]) => [name, parameterSchema(definition)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function parameterSchema(definition: ParameterDefinition): JsonSchema {
  const { type, description, enum: values, secret } = definition;
  return {
    ...(description === '' ? {} : { description }),
    ...typeOf(definition),
    ...(values === undefined || type === 'boolean' || type === 'date' ? {} : { enum: values.map(givenAs(type)) }),
    ...(definition.default === undefined || type === 'boolean' || type === 'date' || secret
      ? {}
      : { default: givenAs(type)(definition.default) }),
    ...(secret ? { format: 'password', writeOnly: true } : {}),
  };
}

/** Converts the text typed at the host to the value in a request. */
function givenAs(type: ParameterDefinition['type']): (text: string) => unknown {
  return (text) => (type === 'integer' ? Number(text) : text);
}

function typeOf({ type, pattern, minLength, maxLength, minimum, maximum, encoding }: ParameterDefinition): JsonSchema {
  const range = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  switch (type) {
    case 'string':
      return {
        type,
        maxLength,
        ...(minLength === 0 ? {} : { minLength }),
        ...(pattern === undefined ? {} : { pattern }),
      };
    case 'integer':
      return { type, ...range };
    case 'decimal':
      // as text, because JavaScript numbers would lose digits
      return {
        type: 'string',
        pattern: DECIMAL_PARAMETER,
        ...(Object.keys(range).length === 0 ? {} : { 'x-range': range }),
      };
    case 'boolean':
      return { type };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'file':
      return fileSchema(encoding, maxLength);
  }
}

/** Result of a completed service: names from all steps. Names of optional steps may be missing. */
export function extractsSchema({ work }: ServiceDefinition): JsonSchema {
  if (work.kind === 'scenario') return {};
  const properties: Record<string, JsonSchema> = {};
  const required = new Set<string>();
  for (const { extract, optional, transfer } of work.steps) {
    for (const [name, definition] of extract) {
      properties[name] = extractSchema(definition);
      if (!optional) required.add(name);
    }
    if (transfer?.options.direction === 'receive') {
      const { contents, description, encoding, mostBytes } = transfer;
      properties[contents] = described(description, fileSchema(encoding, mostBytes));
      if (!optional) required.add(contents);
    }
  }
  return { type: 'object', properties, ...(required.size === 0 ? {} : { required: [...required] }) };
}

function extractSchema(definition: ExtractDefinition): JsonSchema {
  if (definition.kind === 'value') return described(definition.description, valueSchema(definition.extract.as));
  const columns = Object.entries(definition.table.columns);
  return {
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(
        columns.map(([name, column]) => [
          name,
          described(definition.descriptions.get(name) ?? '', valueSchema(column.as)),
        ]),
      ),
      required: columns.map(([name]) => name),
    },
  };
}

/**
 * Bounds the characters for a number of bytes: text never has more characters than bytes, base64 has four per three
 * bytes.
 */
function fileSchema(encoding: FileEncoding, mostBytes: number): JsonSchema {
  return encoding === 'text'
    ? { type: 'string', maxLength: mostBytes }
    : { type: 'string', contentEncoding: 'base64', maxLength: 4 * Math.ceil(mostBytes / 3) };
}

function described(description: string, schema: JsonSchema): JsonSchema {
  return description === '' ? schema : { description, ...schema };
}

function valueSchema(as: ScreenExtract['as']): JsonSchema {
  switch (as) {
    case 'integer':
    case 'boolean':
      return { type: as };
    case 'decimal':
      return { type: 'string', pattern: DECIMAL_VALUE };
    case 'date':
      return { type: 'string', format: 'date' };
    default:
      return { type: 'string' };
  }
}

function ofEntryPoint({ entryPoint }: ClientSite, { calls }: SiteServices): readonly ServiceDefinition[] {
  const { services } = entryPoint.definition;
  if (services === undefined) return [];
  return [...calls.definitions.values()]
    .filter(({ name }) => services === true || services.includes(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

export function offeredServices(
  site: ClientSite,
  services: SiteServices,
  caller: ApiCaller,
): readonly ServiceDefinition[] {
  return ofEntryPoint(site, services).filter(({ name }) => caller.mayCall(name));
}

export function hasService(site: ClientSite, services: SiteServices, name: string): boolean {
  return ofEntryPoint(site, services).some((service) => service.name === name);
}
