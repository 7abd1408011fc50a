import { jsonPointer } from '../../services/json-pointer.js';
import type { ParameterDefinition } from '../../services/parameter.js';
import { readParameters } from '../../services/parameter.js';
import type { CallOutcome } from '../../services/service-calls.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import type { Answer } from '../http/answer.js';
import { senderAddress } from '../http/request-sender.js';
import type { ApiRequest } from './api-request.js';
import { answerOfCall } from './call-answer.js';
import { type CallAnswer, idempotencyKeyOf, onceForKey } from './idempotent-call.js';
import { largestCallBytes, objectOf, readJsonBody, valuesRefused } from './json-body.js';

/** Outcomes of calls that no session was had for: nothing was done at the host. */
const untouched: ReadonlySet<CallOutcome['kind']> = new Set([
  'noSession',
  'hostUnreachable',
  'cannotSignOn',
  'drained',
  'noScenario',
]);

/**
 * Answers `POST /api/v1/services/NAME`.
 * @throws ServiceError SVC_ERR_REQUEST_BODY*, SVC_ERR_SERVICE_PARAMETERS, SVC_ERR_IDEMPOTENCY_*
 */
export async function callService(request: ApiRequest, service: ServiceDefinition): Promise<Answer> {
  const { incoming, told } = request;
  const { name, pool } = service;
  told({ service: name, pool, outcome: 'refused' });
  const key = idempotencyKeyOf(incoming);
  const { bytes, value, repeated } = await readJsonBody(incoming, largestCallBytes(service.parameters));
  const values = readValues(service.parameters, value, repeated);
  if (key === undefined) return (await carryOut(request, service, values, request.gone)).answer;
  let isRepeated = true;
  const carryOutAnyway = () => {
    isRepeated = false;
    return carryOut(request, service, values, new AbortController().signal);
  };
  const answer = await onceForKey(request, { key, called: name, body: bytes, carryOut: carryOutAnyway });
  if (isRepeated) told({ service: name, pool, outcome: 'repeated' });
  return answer;
}

function readValues(
  parameters: ReadonlyMap<string, ParameterDefinition>,
  value: unknown,
  repeated: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const given = objectOf(value);
  // nothing but the members themselves can stand there twice: no parameter is an object
  const names = new Set(Object.keys(given).filter((name) => repeated.has(jsonPointer([name]))));
  const reading = readParameters(parameters, given, names);
  if (reading.kind === 'faults') throw valuesRefused(reading.faults);
  return reading.values;
}

async function carryOut(
  { services, caller, incoming, requestId, told }: ApiRequest,
  { name, pool }: ServiceDefinition,
  values: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<CallAnswer> {
  told({ service: name, pool, outcome: 'abandoned' });
  const by = { who: caller.name, from: senderAddress(incoming) };
  const outcome = await services.calls.call({ service: name, values, caller: caller.key, by, requestId, signal });
  const isCarriedOut = !untouched.has(outcome.kind);
  const { answer, end } = answerOfCall(outcome, requestId, caller.maySeeScreens);
  told({ service: name, pool, outcome: end });
  return { answer, isCarriedOut };
}
