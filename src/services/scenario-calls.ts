import type { ErrorCode, ServiceError } from '../lib/errors.js';
import { maskedText, secretsOf } from './mask-secrets.js';
import type { ParameterDefinition } from './parameter.js';
import type { PoolOutcome } from './pool-state.js';
import type { ScenarioTurns } from './scenario-turns.js';
import type { ServiceScenario } from './service-definition.js';

interface ScenarioWork {
  readonly service: string;
  readonly scenario: ServiceScenario;
  /** Texts to type by parameter name in upper case, without parameters that the caller omitted. */
  readonly variables: ReadonlyMap<string, string>;
  readonly requestId: string;
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

/** Output of a scenario (SEND$). */
interface ScenarioBody {
  readonly kind: 'body';
  readonly contentType: string;
  readonly body: Buffer;
  /** Name of the attachment; undefined if the body is not an attachment. */
  readonly fileName: string | undefined;
}

type ScenarioEnd =
  | ScenarioBody
  /** Nothing was run: the module does not exist or has no INITIAL scenario. */
  | { readonly kind: 'noScenario' }
  /** Nothing was run: no session with the host was available. */
  | { readonly kind: 'noHost'; readonly error: ServiceError }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Runs the INITIAL scenario of a module and logs failures. With a host, each run gets its own host session. */
export type RunScenarioService = (work: ScenarioWork) => Promise<ScenarioEnd>;

export type ScenarioCallOutcome =
  | ScenarioBody
  /** The scenario rejected the call (ERROR$). */
  | {
      readonly kind: 'answered';
      readonly status: 400;
      readonly code: typeof SCENARIO_REFUSED;
      readonly message: string;
    }
  | { readonly kind: 'noScenario' }
  /** The scenario abended or exceeded a limit. */
  | { readonly kind: 'scenarioFailed'; readonly code: ErrorCode }
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

/** @throws the abort reason of `signal` */
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
