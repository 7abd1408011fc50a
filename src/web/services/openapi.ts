import type { ServiceDefinition } from '../../services/service-definition.js';
import type { ApiRequest } from './api-caller.js';
import { LARGEST_CALL_BYTES } from './json-body.js';
import {
  extractsSchema,
  type JsonSchema,
  offeredServices,
  outcomesOf,
  parametersSchema,
  servicePath,
} from './service-description.js';

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export function openApiDocument({ site, services, caller }: ApiRequest): object {
  const offered = offeredServices(site, services, caller);
  const paths = Object.fromEntries(
    offered.map((service) => [servicePath(service.name), { post: operationOf(service) }]),
  );
  const takesUsers = site.entryPoint.definition.serviceUsers !== undefined;
  return {
    openapi: '3.1.0',
    info: { title: site.entryPoint.definition.description || 'Services', version: site.version },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, ...(takesUsers ? [{ basic: [] }] : [])],
    paths: caller.maySession ? { ...paths, ...sessionPaths } : paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        ...(takesUsers ? { basic: { type: 'http', scheme: 'basic' } } : {}),
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'A repeated request with the same key and body gets the first answer, for 24 hours.',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
        },
      },
      schemas: { Problem: problemSchema, Screen: screenSchema },
      responses: Object.fromEntries(
        Object.entries(problems).map(([name, description]) => [name, problemResponse(description)]),
      ),
    },
  };
}

const problems = {
  BadRequest: 'The body is not JSON, or the Idempotency-Key is invalid.',
  Unauthorized: 'Missing or invalid credentials.',
  Forbidden: 'The caller does not have permission.',
  NotFound: 'The requested object does not exist.',
  Conflict: 'The host shows an unexpected screen, or the first request with this key is still running.',
  TooLarge: `The body has more than ${LARGEST_CALL_BYTES} bytes plus the limit for the files of the service.`,
  NoJson: 'The body is not application/json.',
  Unprocessable: 'Parameters are wrong: all of them, with JSON pointers; or the key came with another body.',
  Failed: 'The scenario has failed; the log says why.',
  BadGateway: 'The host ended the connection, or sent a record that is malformed or not supported.',
  Unavailable: 'No session was free in time; Retry-After says when to come again.',
  TimedOut: 'The host has not answered in time.',
  Other: 'Any other problem, such as a server that is stopping; or an outcome of a step of a session.',
} as const;

const problemsOfCalls: Readonly<Record<number | 'default', keyof typeof problems>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'NoJson',
  422: 'Unprocessable',
  502: 'BadGateway',
  503: 'Unavailable',
  504: 'TimedOut',
  default: 'Other',
};

function operationOf(service: ServiceDefinition): object {
  const { name, description, parameters } = service;
  const ownStatuses = new Map<number, string[]>();
  for (const { status, code } of outcomesOf(service))
    ownStatuses.set(status, [...(ownStatuses.get(status) ?? []), code]);
  const responses: Record<string, object> = {
    200: doneResponse(service),
    ...(service.work.kind === 'scenario' ? { 500: reference('responses', 'Failed') } : {}),
  };
  for (const [status, problem] of Object.entries(problemsOfCalls)) responses[status] = reference('responses', problem);
  for (const [status, codes] of ownStatuses) {
    const usual = problemsOfCalls[status];
    const words = usual === undefined ? '' : ` Besides: ${problems[usual]}`;
    responses[status] = problemResponse(
      `${service.work.kind === 'steps' ? 'The host' : 'The scenario'} reports one of the outcomes ${codes.join(', ')}.${words}`,
    );
  }
  return {
    operationId: name,
    tags: ['services'],
    ...(description === '' ? {} : { description }),
    parameters: [reference('parameters', 'IdempotencyKey')],
    requestBody: {
      required: parameters.size > 0,
      content: { 'application/json': { schema: parametersSchema(service) } },
    },
    responses,
  };
}

function doneResponse(service: ServiceDefinition): object {
  const json = { 'application/json': { schema: extractsSchema(service) } };
  if (service.work.kind === 'steps') return { description: 'Done.', content: json };
  return { description: 'The output of the scenario, in its content type.', content: { ...json, '*/*': {} } };
}

function problemResponse(description: string): object {
  return { description, content: { 'application/problem+json': { schema: reference('schemas', 'Problem') } } };
}

const problemSchema: JsonSchema = {
  description: 'RFC 9457.',
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { description: 'For programs.', type: 'string' },
    requestId: { description: 'Also in the log.', type: 'string' },
    errors: {
      description: 'Faults of the parameters.',
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
    step: { description: 'The failed step, counted from 1.', type: 'integer' },
    expected: { description: 'The expected screens.', type: 'array', items: { type: 'string' } },
    differs: { description: 'The conditions that do not hold.', type: 'array', items: { type: 'object' } },
    screen: reference('schemas', 'Screen'),
    screenLeftOut: { description: 'The reason why there is no screen.', type: 'string' },
  },
};

const screenSchema: JsonSchema = {
  description: 'A screen of the host, without non-displayed text.',
  type: 'object',
  required: ['rows', 'columns', 'cursor', 'text'],
  properties: {
    rows: { type: 'integer' },
    columns: { type: 'integer' },
    cursor: {
      type: 'object',
      required: ['row', 'column'],
      properties: { row: { type: 'integer' }, column: { type: 'integer' }, position: { type: 'integer' } },
    },
    locked: { type: 'boolean' },
    text: { description: 'A line for each row.', type: 'array', items: { type: 'string' } },
    fields: { type: 'array', items: { type: 'object' } },
  },
};

const handle = { name: 'handle', in: 'path', required: true, schema: { type: 'string' } };
const shown = { type: 'object', required: ['screen'], properties: { screen: reference('schemas', 'Screen') } };
const jsonResponse = (description: string, schema: JsonSchema) => ({
  description,
  content: { 'application/json': { schema } },
});
const sessionProblems = {
  401: reference('responses', 'Unauthorized'),
  403: reference('responses', 'Forbidden'),
  404: reference('responses', 'NotFound'),
  default: reference('responses', 'Other'),
};
const actingProblems = {
  ...sessionProblems,
  400: reference('responses', 'BadRequest'),
  409: reference('responses', 'Conflict'),
  413: reference('responses', 'TooLarge'),
  415: reference('responses', 'NoJson'),
  422: reference('responses', 'Unprocessable'),
  502: reference('responses', 'BadGateway'),
  503: reference('responses', 'Unavailable'),
  504: reference('responses', 'TimedOut'),
};

const sessionPaths = {
  '/api/v1/sessions': {
    post: {
      operationId: 'beginSession',
      tags: ['sessions'],
      parameters: [reference('parameters', 'IdempotencyKey')],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              additionalProperties: false,
              required: ['transaction'],
              properties: { transaction: { type: 'string' } },
            },
          },
        },
      },
      responses: {
        201: jsonResponse('A session, identified by a secret handle.', {
          ...shown,
          required: ['handle', 'screen'],
          properties: { ...shown.properties, handle: { type: 'string' } },
        }),
        ...actingProblems,
      },
    },
  },
  '/api/v1/sessions/{handle}': {
    delete: {
      operationId: 'endSession',
      tags: ['sessions'],
      parameters: [handle],
      responses: { 204: { description: 'It ends.' }, ...sessionProblems },
    },
  },
  '/api/v1/sessions/{handle}/screen': {
    get: {
      operationId: 'showScreen',
      tags: ['sessions'],
      parameters: [handle],
      responses: { 200: jsonResponse('The current screen.', reference('schemas', 'Screen')), ...sessionProblems },
    },
  },
  '/api/v1/sessions/{handle}/steps': {
    post: {
      operationId: 'takeSteps',
      tags: ['sessions'],
      parameters: [handle, reference('parameters', 'IdempotencyKey')],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'object' } } },
        },
      },
      responses: {
        200: jsonResponse('All steps are completed. If they ended the session, there is no screen.', {
          type: 'object',
          required: ['extracts'],
          properties: { ...shown.properties, extracts: { type: 'object' } },
        }),
        ...actingProblems,
      },
    },
  },
};
