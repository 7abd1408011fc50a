import type { ErrorCode, ServiceError } from '../lib/errors.js';
import { maskedText, secretsOf } from './mask-secrets.js';
import type { ParameterDefinition } from './parameter.js';
import type { PoolOutcome } from './pool-definition.js';
import type { ScenarioTurns } from './scenario-turns.js';
import type { ServiceScenario } from './service-definition.js';

/** What a service asks of a scenario. */
interface ScenarioWork {
  readonly service: string;
  /** Module and host of its file. */
  readonly scenario: ServiceScenario;
  /** By the names of parameters in upper case, as they would be typed; none for what the caller has left out. */
  readonly variables: ReadonlyMap<string, string>;
  /** Of the request, for the log. */
  readonly requestId: string;
  /** A text for a log, without the secrets of the call. */
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

/** What a scenario has sent (SEND$). */
interface ScenarioBody {
  readonly kind: 'body';
  /** As the scenario has it. */
  readonly contentType: string;
  readonly body: Buffer;
  /** Present: an attachment of this name. */
  readonly fileName: string | undefined;
}

type ScenarioEnd =
  | ScenarioBody
  /** Nothing was run: the module is not there, or has no INITIAL scenario. */
  | { readonly kind: 'noScenario' }
  /** Nothing was run: no session with the host could be had. */
  | { readonly kind: 'noHost'; readonly error: ServiceError }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Runs the INITIAL scenario of a module, in a host session of its own where the service names a host, and logs how it failed. */
export type RunScenarioService = (work: ScenarioWork) => Promise<ScenarioEnd>;

/** How a call of a service ends that is made of a scenario. */
export type ScenarioCallOutcome =
  | ScenarioBody
  /** The scenario refused it (ERROR$). */
  | {
      readonly kind: 'answered';
      readonly status: 400;
      readonly code: typeof SCENARIO_REFUSED;
      readonly message: string;
    }
  | { readonly kind: 'noScenario' }
  /** It has abended, or passed a bound. */
  | { readonly kind: 'scenarioFailed'; readonly code: ErrorCode }
  /** The host ended the session that the scenario walked. */
  | { readonly kind: 'hostGone' }
  | PoolOutcome;

export const SCENARIO_REFUSED = 'scenario-refused';
const RETRY_AFTER_SECONDS = 5;

interface ScenarioCall {
  readonly service: string;
  readonly scenario: ServiceScenario;
  readonly parameters: ReadonlyMap<string, ParameterDefinition>;
  readonly values: ReadonlyMap<string, string>;
  readonly caller: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/**
 * Runs the scenario of a service when it is the caller's turn.
 * @throws what the signal was aborted with
 */
export async function callScenario(
  run: RunScenarioService,
  turns: ScenarioTurns,
  { service, scenario, parameters, values, caller, requestId, signal }: ScenarioCall,
): Promise<ScenarioCallOutcome> {
  const secrets = secretsOf(parameters, values);
  const mask = (text: string) => maskedText(text, secrets);
  const variables = new Map([...values].map(([name, text]) => [name.toUpperCase(), text]));
  const end = await turns.run(caller, signal, (within) =>
    run({ service, scenario, variables, requestId, mask, signal: within }),
  );
  signal.throwIfAborted();
  switch (end.kind) {
    case 'noHost':
      return withoutHost(end.error);
    case 'failed':
      return failed(end.error, mask);
    default:
      return end;
  }
}

function withoutHost({ code }: ServiceError): PoolOutcome {
  if (code === 'SVC_ERR_SERVICE_STOPPING') return { kind: 'stopping' };
  const kind = code === 'SVC_ERR_SESSION_LIMIT' ? 'noSession' : 'hostUnreachable';
  return { kind, retryAfterSeconds: RETRY_AFTER_SECONDS };
}

function failed({ code, detail = '' }: ServiceError, mask: (text: string) => string): ScenarioCallOutcome {
  if (code === 'SVC_ERR_SCENARIO_REFUSED') {
    return { kind: 'answered', status: 400, code: SCENARIO_REFUSED, message: mask(detail) };
  }
  return code === 'SVC_ERR_HOST_REFUSED' || code === 'SVC_ERR_HOST_PROTOCOL'
    ? { kind: 'hostGone' }
    : { kind: 'scenarioFailed', code };
}
