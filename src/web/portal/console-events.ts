import { ServiceError } from '../../lib/errors.js';
import { languages } from '../../lib/locale.js';
import { isForeignSubmit } from '../http/request-origin.js';
import type { PortalOutcome, PortalRequest } from './portal-route.js';

/** Events for portal pages that stay open: `?topic=sessions`, with one parameter for each topic. */
export async function consoleEvents(asked: PortalRequest): Promise<PortalOutcome> {
  const { portal, user, actor, current, topics, words } = asked;
  const { incoming, parameters } = asked.request;
  if (incoming.method !== 'GET') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET' } });
  // watching is recorded and shown to the user, so no page of another origin may start it
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  // use the language of the open page: another page may have changed the language of the user since
  const [wanted] = parameters.get('language') ?? [];
  const language = languages.find((known) => known === wanted) ?? words.language;
  const stream = await portal.streams.open({ user, current, language }, actor, parameters.get('topic') ?? [], topics);
  return { kind: 'stream', stream };
}
