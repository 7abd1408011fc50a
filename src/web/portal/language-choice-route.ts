import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { languageCookie, languageFields, pathBack } from '../words/language-choice.js';
import type { PortalOutcome, PortalRequest } from './portal-route.js';

/** Sets the language of the browser's pages and redirects to the page of the form. It changes nothing on the server. */
export function chooseLanguage({ request: { incoming }, field }: PortalRequest): PortalOutcome {
  return languageChosen(incoming, field);
}

/** Shown if the user had to sign on before the choice. */
export function languagePage(): PortalOutcome {
  return { kind: 'redirect', to: '/' };
}

/** @throws ServiceError SVC_ERR_REQUEST_PARAMETERS for an unknown language */
export function languageChosen(
  incoming: IncomingMessage,
  field: (name: string) => string,
): PortalOutcome & { readonly kind: 'redirect' } {
  const cookie = languageCookie(incoming, field(languageFields.language));
  if (cookie === undefined) throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS');
  return { kind: 'redirect', to: pathBack(field(languageFields.back)), cookie };
}
