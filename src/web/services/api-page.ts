import { ServiceError } from '../../lib/errors.js';
import { LONGEST_PARAMETER, type ParameterDefinition } from '../../services/parameter.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import type { Answer } from '../http/answer.js';
import { findProductPage } from '../http/client-site.js';
import { requestNames } from '../http/request-names.js';
import { noRunValues, renderedAnswer } from '../pages/page-rendering.js';
import { asPrivate } from '../sessions/session-rendering.js';
import { languageOf } from '../words/page-words.js';
import { PortalWording } from '../words/portal-wording.js';
import type { ApiRequest } from './api-caller.js';
import { extractsSchema, offeredServices, outcomesOf, servicePath } from './service-description.js';

const API_PAGE = 'SERVICES.HTML';

export async function apiPage({ site, services, caller, request }: ApiRequest): Promise<Answer> {
  const page = await findProductPage(site, API_PAGE);
  if (page?.kind !== 'template') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const offered = offeredServices(site, services, caller);
  const { definition } = site.entryPoint;
  const words = PortalWording.of(languageOf(request.incoming));
  const names = requestNames(site, request, {
    page: API_PAGE,
    directory: definition.directory,
    transaction: undefined,
    routingParameter: undefined,
  });
  const variables: Readonly<Record<string, readonly string[] | undefined>> = {
    $TITLE$: [definition.description || words.text('SERVICES')],
    $SERVICE$: offered.map(({ name }) => name),
    '$SERVICE-PATH$': offered.map(({ name }) => servicePath(name)),
    '$SERVICE-DESCRIPTION$': offered.map(({ description }) => description),
    '$SERVICE-PARAMETERS$': offered.map((service) => parametersText(service, words)),
    '$SERVICE-ANSWER$': offered.map(
      (service) => Object.keys(propertiesOf(service)).join(', ') || words.text('api.nothing'),
    ),
    '$SERVICE-OUTCOMES$': offered.map(
      (service) =>
        outcomesOf(service)
          .map(({ status, code }) => `${status} ${code}`)
          .join(', ') || words.text('api.none'),
    ),
    '$SERVICE-EXAMPLE$': offered.map(exampleOf),
    '$HAS-SESSIONS$': caller.maySession ? ['yes'] : undefined,
  };
  const valuesOf = (variable: string) => variables[variable.toUpperCase()];
  return asPrivate(await renderedAnswer(site, page.template, names, { ...noRunValues, valuesOf }));
}

function propertiesOf(service: ServiceDefinition): object {
  return Object(extractsSchema(service).properties) as object;
}

function parametersText({ parameters }: ServiceDefinition, words: PortalWording): string {
  const texts = [...parameters].map(([name, parameter]) => `${name} (${textOf(parameter, words)})`);
  return texts.join('; ') || words.text('api.none');
}

function textOf(
  { type, description, pattern, maxLength, minimum, maximum, required, secret, enum: values }: ParameterDefinition,
  words: PortalWording,
): string {
  return [
    description,
    type,
    required ? '' : words.text('api.optional'),
    secret ? words.text('api.secret') : '',
    pattern === undefined ? '' : words.text('api.matches', { pattern: String(pattern) }),
    maxLength === LONGEST_PARAMETER ? '' : words.text('api.longest', { count: words.number(maxLength) }),
    minimum === undefined ? '' : words.text('api.least', { value: String(minimum) }),
    maximum === undefined ? '' : words.text('api.most', { value: String(maximum) }),
    values === undefined ? '' : words.text('api.oneOf', { values: values.join(', ') }),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

function exampleOf({ parameters }: ServiceDefinition): string {
  return JSON.stringify(Object.fromEntries([...parameters.keys()].map((name) => [name, '…'])));
}
