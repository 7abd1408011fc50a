import type { SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import type { ScenarioRun } from '../../scenarios/scenario-run.js';
import type { TerminalWish } from '../../scenarios/session-effects.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { requestNames } from '../http/request-names.js';
import { isEmbeddedElsewhere, isForeignSubmit } from '../http/request-origin.js';
import type { TransactionPath } from '../http/request-path.js';
import type { Requester } from '../sessions/user-sessions.js';
import { addressOf } from '../sign-on/signed-on-user.js';
import type { SiteSecurity } from '../sign-on/site-security.js';
import { requestInput, scenarioRequest } from './request-input.js';

type SignOn = NonNullable<ScenarioRun['surroundings']['signOn']>;

const refusals: Readonly<Record<string, 'refused' | 'newPasswordRefused'>> = {
  SVC_ERR_SIGNON_REFUSED: 'refused',
  SVC_ERR_SECURITY_CHANGE: 'newPasswordRefused',
};

export interface Identification {
  readonly transaction: string;
  readonly requester: Requester | undefined;
  readonly wishes: ReadonlyMap<TerminalWish, string>;
}

/**
 * Runs the IDENTIFICATION scenario of the entry point before the transaction is chosen. If the scenario abends or is
 * not available, the request is refused.
 * @throws ServiceError SVC_ERR_SCENARIO_*, and the errors of reading the body
 */
export async function identify(site: ClientSite, request: ClientRequest<TransactionPath>): Promise<Identification> {
  const { path, incoming } = request;
  const { identificationScenario, directory } = site.entryPoint.definition;
  if (identificationScenario === undefined) {
    return { transaction: path.transaction, requester: undefined, wishes: new Map() };
  }
  // pages of other sites must not sign users on
  const isForeign = isEmbeddedElsewhere(incoming) || (incoming.method === 'POST' && isForeignSubmit(incoming));
  let requester: Requester | undefined;
  const { security } = site;
  const signOn: SignOn = async (user, password, newPassword) => {
    if (security === undefined || isForeign) return 'refused';
    try {
      const credentials = { address: addressOf(incoming), user, password };
      const found = await (newPassword === undefined
        ? security.service.signOn(credentials.address, user, password)
        : withNewPassword(security, credentials, newPassword));
      requester = { user: found, signOn: undefined };
      return 'signedOn';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return refusals[error.code] ?? 'unavailable';
    }
  };
  const names = requestNames(site, request, {
    page: path.page,
    directory,
    transaction: undefined,
    routingParameter: path.userData,
  });
  const input = await requestInput(request);
  const { ending, effects } = await site.scenarios.run(
    identificationScenario,
    'IDENTIFICATION',
    scenarioRequest(site, request, names, input),
    request.signal,
    { signOn },
  );
  if (ending === 'fail')
    throw new ServiceError('SVC_ERR_SCENARIO_REFUSED', { detail: { code: 'session.notIdentified' } });
  return { transaction: effects.transaction ?? path.transaction, requester, wishes: effects.wishes };
}

/**
 * Changes the user's password with an audit entry. Sign-ons with the old password become invalid.
 * @throws ServiceError of the sign-on, SVC_ERR_SECURITY_CHANGE, SVC_ERR_AUDIT_UNAVAILABLE
 */
async function withNewPassword(
  { service, administration }: SiteSecurity,
  { address, user, password }: { readonly address: string; readonly user: string; readonly password: string },
  newPassword: string,
): Promise<SecurityUser> {
  const { name } = await service.signOnAnew(address, user, password);
  await administration.setPassword({ who: name, from: address }, name, newPassword);
  return service.signOn(address, name, newPassword);
}
