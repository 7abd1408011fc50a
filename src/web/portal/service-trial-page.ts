import { foldedName } from '../../access/users/security-name.js';
import { asSentence } from '../../lib/text/messages.js';
import { type ParameterDefinition, readParameters } from '../../services/parameter.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import { answerOfCall } from '../services/call-answer.js';
import type { PortalWording } from '../words/portal-wording.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';

/** Prefix of parameter names, so that they differ from the other fields of the form. */
const FIELD = 'VALUE:';
/** Maximum number of characters shown of an answer. */
const LONGEST_ANSWER = 100_000;
/** Maximum number of values listed of an enumeration. */
const MOST_LISTED = 20;

/** The form to try a service. */
export function serviceTrialPage(request: PortalRequest): PortalOutcome {
  return trialPage(request, request.portal.trials.definition(request.segment('name')), {});
}

/** Calls the service like a program and shows the answer that a program would get. */
export async function tryService(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, actor, user, words } = request;
  const service = portal.trials.definition(request.segment('name'));
  const reading = readParameters(service.parameters, givenOf(request, service));
  if (reading.kind === 'faults') {
    const faults = reading.faults.map(
      ({ pointer, message }) => `${pointer.slice(1) || words.text('trial.theForm')}: ${message}`,
    );
    return trialPage(request, service, { $FAULT$: faults });
  }
  const { id, signal } = request.request;
  const gone = new AbortController();
  if (signal.aborted) gone.abort();
  signal.addEventListener('abort', () => gone.abort());
  const outcome = await portal.trials.call(actor, {
    service: service.name,
    values: reading.values,
    caller: `user ${foldedName(user.name)}`,
    requestId: id,
    signal: gone.signal,
  });
  const { answer, end } = answerOfCall(outcome, id, true);
  return trialPage(request, service, {
    '$ANSWER-STATUS$': [String(answer.status)],
    '$ANSWER-END$': [end === 'done' ? '' : end],
    $ANSWER$: [answerText(answer.body, words)],
  });
}

/** The typed values in the form that a program sends. Empty fields are omitted. */
function givenOf({ field }: PortalRequest, { parameters }: ServiceDefinition): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const [name, { type }] of parameters) {
    const typed = field(FIELD + name);
    if (typed === '') continue;
    const isTruth = type === 'boolean' && (typed === 'true' || typed === 'false');
    Object.defineProperty(given, name, { value: isTruth ? typed === 'true' : typed, enumerable: true });
  }
  return given;
}

function trialPage({ field, words }: PortalRequest, service: ServiceDefinition, result: PageVariables): PortalOutcome {
  const parameters = [...service.parameters];
  const { work, pool } = service;
  return {
    kind: 'page',
    page: 'SERVICE-TRIAL.HTML',
    ...(result.$FAULT$ === undefined ? {} : { status: 400 }),
    variables: {
      $SERVICE$: [service.name],
      '$SERVICE-TEXT$': service.description === '' ? undefined : [service.description],
      '$SERVICE-RUNS$': [
        work.kind === 'scenario'
          ? words.text('trial.runsScenario', { name: work.module })
          : words.text('trial.runsInPool', { name: pool ?? '' }),
      ],
      $PARAMETER$: parameters.map(([name]) => name),
      '$PARAMETER-FIELD$': parameters.map(([name]) => FIELD + name),
      '$PARAMETER-TYPE$': parameters.map(([, { secret }]) => (secret ? 'password' : 'text')),
      // secret values are never sent back
      '$PARAMETER-TYPED$': parameters.map(([name, { secret }]) => (secret ? '' : field(FIELD + name))),
      '$PARAMETER-HINT$': parameters.map(([, definition]) => hintOf(definition, words)),
      '$PARAMETER-NEEDED$': parameters.map(([, { required, default: other }]) =>
        required && other === undefined ? 'yes' : '',
      ),
      ...result,
    },
  };
}

function hintOf(
  { type, description, required, default: other, enum: values, secret }: ParameterDefinition,
  words: PortalWording,
): string {
  const kind =
    values === undefined
      ? words.text(`trial.${type}`)
      : words.text('trial.oneOf', { names: words.names(values, MOST_LISTED) });
  const parts = [
    kind,
    ...(required && other === undefined ? [] : [words.text('trial.optional')]),
    ...(secret ? [words.text('trial.secret')] : []),
  ];
  return `${description === '' ? '' : `${description.replace(/\.?$/, '.')} `}${asSentence(parts.join(', '))}`;
}

/** JSON is indented; other text is unchanged. */
function answerText(body: Buffer, words: PortalWording): string {
  const text = body.toString();
  try {
    return words.cut(JSON.stringify(JSON.parse(text), undefined, 2), LONGEST_ANSWER);
  } catch {
    return words.cut(text, LONGEST_ANSWER);
  }
}
