import { ServiceError } from '../../lib/errors.js';
import { LONGEST_PARAMETER, type ParameterDefinition } from '../../services/parameter.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import type { Answer } from '../http/answer.js';
import { findProductPage } from '../http/client-site.js';
import { requestNames } from '../http/request-names.js';
import { noRunValues, renderedAnswer } from '../pages/page-rendering.js';
import { asPrivate } from '../sessions/session-rendering.js';
import type { ApiRequest } from './api-caller.js';
import { extractsSchema, offeredServices, outcomesOf, servicePath } from './service-description.js';

const API_PAGE = 'SERVICES.HTML';

export async function apiPage({ site, services, caller, request }: ApiRequest): Promise<Answer> {
  const page = await findProductPage(site, API_PAGE);
  if (page?.kind !== 'template') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const offered = offeredServices(site, services, caller);
  const { definition } = site.entryPoint;
  const names = requestNames(site, request, {
    page: API_PAGE,
    directory: definition.directory,
    transaction: undefined,
    routingParameter: undefined,
  });
  const variables: Readonly<Record<string, readonly string[] | undefined>> = {
    $TITLE$: [definition.description || 'Services'],
    $SERVICE$: offered.map(({ name }) => name),
    '$SERVICE-PATH$': offered.map(({ name }) => servicePath(name)),
    '$SERVICE-DESCRIPTION$': offered.map(({ description }) => description),
    '$SERVICE-PARAMETERS$': offered.map(parametersText),
    '$SERVICE-ANSWER$': offered.map((service) => Object.keys(propertiesOf(service)).join(', ') || 'nothing'),
    '$SERVICE-OUTCOMES$': offered.map(
      (service) =>
        outcomesOf(service)
          .map(({ status, code }) => `${status} ${code}`)
          .join(', ') || 'none',
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

function parametersText({ parameters }: ServiceDefinition): string {
  return [...parameters].map(([name, parameter]) => `${name} (${problemText(parameter)})`).join('; ') || 'none';
}

function problemText({
  type,
  description,
  pattern,
  maxLength,
  minimum,
  maximum,
  required,
  secret,
  enum: values,
}: ParameterDefinition): string {
  return [
    description,
    type,
    required ? '' : 'optional',
    secret ? 'secret' : '',
    pattern === undefined ? '' : `matches ${pattern}`,
    maxLength === LONGEST_PARAMETER ? '' : `at most ${maxLength} characters`,
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    values === undefined ? '' : `one of ${values.join(', ')}`,
  ]
    .filter((words) => words !== '')
    .join(', ');
}

function exampleOf({ parameters }: ServiceDefinition): string {
  return JSON.stringify(Object.fromEntries([...parameters.keys()].map((name) => [name, '…'])));
}
