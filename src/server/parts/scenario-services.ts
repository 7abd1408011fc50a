import { ServiceError } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import { ScenarioAbendError } from '../../scenarios/scenario-abend-error.js';
import type { ScenarioRequest } from '../../scenarios/scenario-outcome.js';
import type { ScenarioScreen } from '../../scenarios/scenario-screen.js';
import type { ScenarioService } from '../../scenarios/scenario-service.js';
import type { VariableStore } from '../../scenarios/variable-store.js';
import type { RunScenarioService } from '../../services/scenario-calls.js';
import { MOST_RUNNING } from '../../services/scenario-turns.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { ScenarioSession } from '../../sessions/scenario-sessions.js';
import type { SessionHost } from '../../sessions/session-host.js';
import { noTerminalWishes } from '../../sessions/session-host.js';

interface ScenarioServicesOptions {
  readonly scenarios: ScenarioService;
  readonly sessions: BrowserSessions;
  readonly hosts: ReadonlyMap<string, SessionHost>;
  readonly log: Log;
}

type Work = Parameters<RunScenarioService>[0];
type End = Awaited<ReturnType<RunScenarioService>>;

const KIND = 'INITIAL';
/** Connection script with the scenario only. */
const START_ORDER = '&/S';
/** Name under which sessions of services are counted, in addition to the limit of the server. */
const LINE = 'services';
const limits = {
  sessions: MOST_RUNNING,
  sessionsPerAddress: MOST_RUNNING,
  sessionStartsPerAddress: Number.MAX_SAFE_INTEGER,
  sessionIdleSeconds: 0,
};

/** Runs scenarios for services like transactions of type 2. */
export function scenarioServices({ scenarios, sessions, hosts, log }: ScenarioServicesOptions): RunScenarioService {
  return async (work) => {
    const { service, scenario, requestId, mask, signal } = work;
    if (!scenarios.has(scenario.module, KIND)) {
      log.error({ service, module: scenario.module, requestId }, 'a service has no scenario to run');
      return { kind: 'noScenario' };
    }
    const masked = maskedLog(log, mask);
    const end = await runFor(work, { scenarios: scenarios.loggingTo(masked), sessions, hosts, log: masked });
    if (end.kind === 'body' || end.kind === 'noScenario' || signal.aborted) return end;
    const { code, detail } = end.error;
    masked.warn({ service, module: scenario.module, requestId, code, detail }, 'the scenario of a service failed');
    return end;
  };
}

async function runFor(work: Work, { scenarios, sessions, hosts, log }: ScenarioServicesOptions): Promise<End> {
  const { scenario, variables: values, signal } = work;
  const variables = scenarios.newVariables();
  const run = (screen: ScenarioScreen | undefined, stop: StopSignal) =>
    bodyOf(scenarios, work, { variables, screen, signal: stop });
  try {
    for (const [name, text] of values) variables.append(name, text);
  } catch (error) {
    if (error instanceof ScenarioAbendError)
      return { kind: 'failed', error: error.asServiceError(scenario.module, undefined) };
    throw error;
  }
  if (scenario.host === undefined) return endOf('failed', () => run(undefined, signal));
  let session: ScenarioSession | undefined;
  try {
    const begun = await endOf('noHost', async () => {
      session = sessions.beginService({
        // The scope of the caller was already checked.
        openTo: 'anybody',
        facts: factsOf(work, scenario.host),
        host: hosts.get(scenario.host ?? ''),
        limits,
        wishes: noTerminalWishes,
        tioaAtLogon: START_ORDER,
        tioaAtLogoff: '',
        log,
      });
      await session.connect(signal);
      return session;
    });
    if ('kind' in begun) return begun;
    return await endOf('failed', async () => {
      let end: End | undefined;
      const served = {
        parameter: () => undefined,
        valuesOf: (name: string) => variables.texts(name),
        runScenario: async (screen: ScenarioScreen, stop: StopSignal) => {
          end = await run(screen, stop);
        },
      };
      await begun.serve(served, signal);
      if (end !== undefined) return end;
      throw new ServiceError('SVC_ERR_HOST_REFUSED', { detail: 'the host ended the session' });
    });
  } finally {
    session?.stop();
  }
}

async function endOf<Result>(
  kind: 'failed' | 'noHost',
  work: () => Promise<Result>,
): Promise<Result | Extract<End, { kind: 'failed' | 'noHost' }>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) return { kind, error };
    throw error;
  }
}

interface Surroundings {
  readonly variables: VariableStore;
  readonly screen: ScenarioScreen | undefined;
  readonly signal: StopSignal;
}

async function bodyOf(
  scenarios: ScenarioService,
  { service, scenario: { module }, requestId }: Work,
  { signal, ...session }: Surroundings,
): Promise<End> {
  const { outcome } = await scenarios.run(module, KIND, requestOf(service, requestId), signal, session);
  if (outcome.kind === 'answer') {
    const { contentType, body, fileName } = outcome;
    return { kind: 'body', contentType, body, fileName };
  }
  const detail = `${module}: the scenario ended without SEND$ AS-ANSWER or AS-FILE, and a service has no page`;
  throw new ServiceError('SVC_ERR_SCENARIO_ABENDED', { detail });
}

/** There is no browser request, so its facts are empty, and files are searched in all directories. */
function requestOf(service: string, requestId: string): ScenarioRequest {
  return {
    requestId,
    method: 'POST',
    path: `/api/v1/services/${service}`,
    query: '',
    parameters: new Map(),
    headers: {},
    body: undefined,
    files: [],
    names: new Map(),
    directory: '',
  };
}

function factsOf({ service }: Work, host = ''): ScenarioSession['facts'] {
  return {
    line: LINE,
    entryPoint: '',
    transaction: service,
    application: host,
    address: '',
    directory: '',
    routingParameter: '',
    user: '',
    group: '',
  };
}

const ours: ReadonlySet<string> = new Set(['service', 'module', 'requestId', 'code', 'line', 'transaction']);

/** All other text that a scenario logs may contain parameters. */
function maskedLog(log: Log, mask: (text: string) => string): Log {
  const masked = ([key, value]: [string, unknown]): [string, unknown] => {
    if (ours.has(key)) return [key, value];
    if (value instanceof Error) return [key, mask(value.stack ?? value.message)];
    return [key, typeof value === 'string' ? mask(value) : value];
  };
  return log.child({}, { formatters: { log: (fields) => Object.fromEntries(Object.entries(fields).map(masked)) } });
}
