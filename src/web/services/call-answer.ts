import { type ErrorCode, ServiceError } from '../../lib/errors.js';
import { jsonPointer, type ParameterDefinition, readParameters } from '../../services/parameter.js';
import type { UntransferredFile, WalkOutcome } from '../../services/run-steps.js';
import type { CallOutcome } from '../../services/service-calls.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import type { ScreenImage } from '../../tn3270/screen/screen-image.js';
import type { Answer } from '../http/answer.js';
import { senderAddress } from '../http/request-sender.js';
import { withHeaders } from '../http/response-headers.js';
import { scenarioAnswer } from '../scenarios/session-scenario-runs.js';
import type { ApiRequest } from './api-caller.js';
import { type CallAnswer, idempotencyKeyOf, onceForKey } from './idempotent-call.js';
import { largestCallBytes, objectOf, readJsonBody, valuesRefused } from './json-body.js';
import { jsonAnswer, outcomeAnswer, ProblemError, type ProblemMembers, problemAnswer, problemCode } from './problem.js';

type FailedWalk = Extract<WalkOutcome, { kind: 'failed' }>;
type Failure = FailedWalk['failure'];
type Undone = Exclude<CallOutcome, { kind: 'done' | 'answered' | 'body' }>;

const codes: Readonly<Record<Failure['kind'], ErrorCode>> = {
  guardFailed: 'SVC_ERR_GUARD_FAILED',
  timedOut: 'SVC_ERR_HOST_SILENT',
  operatorError: 'SVC_ERR_INPUT_REFUSED',
  withheld: 'SVC_ERR_INPUT_WITHHELD',
  hostGone: 'SVC_ERR_HOST_GONE',
  screenFault: 'SVC_ERR_SCREEN_FAULT',
};

export function answerOfCall(
  outcome: CallOutcome,
  requestId: string,
  maySeeScreens: boolean,
): { readonly answer: Answer; readonly end: string } {
  if (outcome.kind === 'done') return { answer: jsonAnswer(200, outcome.extracts), end: 'done' };
  if (outcome.kind === 'body') {
    const sent = scenarioAnswer({ ...outcome, kind: 'answer', expires: 'immediately' });
    return { answer: { ...sent, headers: withHeaders(sent.headers, [['Cache-Control', 'no-store']]) }, end: 'done' };
  }
  if (outcome.kind === 'answered') return { answer: outcomeAnswer(outcome, requestId), end: outcome.code };
  const error = callRefused(outcome, maySeeScreens);
  return { answer: problemAnswer(error, requestId), end: problemCode(error.code) };
}

export function callRefused(outcome: Undone, maySeeScreens: boolean): ServiceError {
  switch (outcome.kind) {
    case 'failed':
      return walkRefused(outcome, maySeeScreens);
    case 'unreadable':
      return new ProblemError('SVC_ERR_SCREEN_UNREADABLE', { step: outcome.step, unreadable: outcome.faults });
    case 'tooManyRows':
      return new ProblemError('SVC_ERR_SCREEN_ROWS', { step: outcome.step, name: outcome.name });
    case 'notTransferred':
      return transferRefused(outcome, maySeeScreens);
    case 'noSession':
      return new ServiceError('SVC_ERR_POOL_EMPTY', { headers: retryAfter(outcome.retryAfterSeconds) });
    case 'hostUnreachable':
      return new ServiceError('SVC_ERR_HOST_UNREACHABLE', { headers: retryAfter(outcome.retryAfterSeconds) });
    case 'drained':
      return new ServiceError('SVC_ERR_POOL_DRAINED', { headers: retryAfter(outcome.retryAfterSeconds) });
    case 'cannotSignOn':
      return new ServiceError('SVC_ERR_POOL_STOPPED');
    case 'overTime':
      return new ServiceError('SVC_ERR_CALL_OVERTIME', {
        detail: { code: 'call.seconds', values: { most: outcome.seconds } },
      });
    case 'noScenario':
      return new ServiceError('SVC_ERR_SCENARIO_UNAVAILABLE');
    case 'scenarioFailed':
      return new ServiceError(outcome.code);
    case 'hostGone':
      return new ServiceError('SVC_ERR_HOST_GONE');
    case 'stopping':
      return new ServiceError('SVC_ERR_SERVICE_STOPPING');
  }
}

function walkRefused({ step, failure, withholdsScreen = false }: FailedWalk, maySeeScreens: boolean): ProblemError {
  const isShown = maySeeScreens && !withholdsScreen;
  return new ProblemError(codes[failure.kind], {
    step,
    ...membersOf(failure, isShown),
    ...(isShown && failure.kind !== 'hostGone' ? { screen: pictureOf(failure.image) } : {}),
    ...(maySeeScreens && withholdsScreen ? { screenLeftOut: 'A secret parameter was already sent to the host.' } : {}),
  });
}

/** For these reasons, the words contain no text of the host. */
const ownReasons: ReadonlySet<UntransferredFile['reason']> = new Set(['notStarted', 'refusedHere', 'timedOut']);

function transferRefused({ step, reason, words }: UntransferredFile, maySeeScreens: boolean): ProblemError {
  const codeOf: Partial<Record<UntransferredFile['reason'], ErrorCode>> = {
    timedOut: 'SVC_ERR_HOST_SILENT',
    hostGone: 'SVC_ERR_HOST_GONE',
  };
  const isTold = maySeeScreens || ownReasons.has(reason);
  return new ProblemError(codeOf[reason] ?? 'SVC_ERR_TRANSFER_FAILED', { step, reason, ...(isTold && { words }) });
}

function membersOf(failure: Failure, maySeeScreens: boolean): ProblemMembers {
  switch (failure.kind) {
    case 'guardFailed': {
      const { expected, differs } = failure;
      // the words would quote the host's screen
      return { expected, differs: maySeeScreens ? differs : differs.map(({ screen }) => ({ screen })) };
    }
    case 'timedOut':
      return { expected: failure.expected };
    case 'operatorError':
      return { operatorError: failure.code, row: failure.at[0], column: failure.at[1] };
    case 'screenFault':
      return { programCheck: failure.programCheck };
    case 'withheld':
    case 'hostGone':
      return {};
  }
}

/** Only the displayed content, because the screen belongs to a pool session. */
function pictureOf({ rows, columns, cursor, locked, operatorError, text }: ScreenImage): object {
  return {
    rows,
    columns,
    cursor: { row: Math.floor(cursor / columns) + 1, column: (cursor % columns) + 1, position: cursor },
    locked,
    ...(operatorError === undefined ? {} : { operatorError }),
    text: Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns).trimEnd()),
  };
}

function retryAfter(seconds: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
}

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
  // only top-level members can be repeated, because no parameter is an object
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
