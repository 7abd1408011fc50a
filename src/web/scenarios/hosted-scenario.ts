import { openTo, type Transaction } from '../../lines/entry-point/transaction.js';
import type { ScenarioOutcome, ScenarioRequest } from '../../scenarios/scenario-outcome.js';
import type { TerminalWish } from '../../scenarios/session-effects.js';
import type { ServiceRequest } from '../../sessions/service-session.js';
import { serviceKey } from '../../sessions/service-sessions.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import type { TransactionPath } from '../http/request-path.js';
import { boundedParameter, sessionFactsOf, terminalWishesOf } from '../sessions/session-opening.js';
import type { Requester } from '../sessions/user-sessions.js';

interface HostedRun {
  readonly transaction: Transaction;
  readonly directory: string;
  readonly requester: Requester | undefined;
  readonly scenario: ScenarioRequest;
  readonly wishes: ReadonlyMap<TerminalWish, string>;
}

/**
 * Runs the INITIAL scenario of a transaction of type 2 over a host session of its own, by the transaction's connection script.
 * The session ends with the request, unless it is that of a service transaction, which waits for the next one.
 * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_HOST_*, SVC_ERR_REQUEST_PARAMETERS, and what the run throws
 */
export async function runHostedScenario(
  site: ClientSite,
  request: ClientRequest<TransactionPath>,
  { transaction, directory, requester, scenario, wishes }: HostedRun,
): Promise<ScenarioOutcome> {
  const { sessions, hosts, scenarios, entryPoint, line } = site;
  const { initialScenario, finalScenario } = transaction;
  const key = serviceKey(entryPoint.definition.name, transaction.name);
  const { signal } = request;
  const { tioaAtLogon, tioaAtLogoff } = transaction;
  const origin = { host: hosts.get(transaction.application ?? ''), tioaAtLogon, tioaAtLogoff };
  const waiting = sessions.services.take(key, origin);
  const session =
    waiting ??
    sessions.beginService({
      openTo: openTo(transaction.security),
      facts: sessionFactsOf(site, request, { transaction, directory, requester }),
      ...origin,
      limits: line.limits,
      wishes: terminalWishesOf(request, transaction, wishes),
    });
  const variables = scenarios.newVariables();
  let outcome = pageWith((name) => variables.texts(name));
  let isKept = session.isForMore;
  const served: ServiceRequest = {
    parameter: (name) => boundedParameter(request.parameters, name),
    valuesOf: (variable) => variables.texts(variable),
    runScenario: async (screen, stop) => {
      const around = { screen, variables, isFirstPass: waiting === undefined };
      const result = await scenarios.run(initialScenario, 'INITIAL', scenario, stop, around);
      outcome = result.outcome;
      isKept = (isKept || result.effects.servesAnotherUser) && result.effects.disconnects === undefined;
    },
  };
  const atEnd: ServiceRequest = {
    ...served,
    runScenario: async (screen, stop) => {
      if (finalScenario === undefined) return;
      await scenarios.run(finalScenario, 'FINAL', scenario, stop, { screen, variables });
    },
  };
  const leave = () => void session.leave(atEnd);
  try {
    if (waiting === undefined) await session.connect(signal);
    await session.serve(served, signal);
    const minutes = entryPoint.definition.timeoutMinutes;
    if (isKept && !signal.aborted && session.isOpen) {
      const milliseconds = minutes === 0 ? Number.MAX_SAFE_INTEGER : minutes * 60_000;
      sessions.services.give(key, { session, origin, milliseconds, ends: leave });
    } else leave();
    return outcome;
  } catch (error) {
    // where it stands, nobody knows: the next request begins anew
    session.stop();
    throw error;
  }
}

/** Of a script that runs no scenario. */
function pageWith(valuesOf: (name: string) => readonly string[] | undefined): ScenarioOutcome {
  return { kind: 'page', page: undefined, valuesOf, trace: undefined, codePage: undefined };
}
