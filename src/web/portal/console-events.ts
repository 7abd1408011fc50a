import { ServiceError } from '../../lib/errors.js';
import { isForeignSubmit } from '../http/request-origin.js';
import type { PortalOutcome, PortalRequest } from './portal-route.js';

/** What goes on, for the pages of the console that stay open: `?topic=sessions`, several of them each in a parameter. */
export async function consoleEvents(asked: PortalRequest): Promise<PortalOutcome> {
  const { portal, user, actor, current, topics } = asked;
  const { incoming, parameters } = asked.request;
  if (incoming.method !== 'GET') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET' } });
  // to watch a session is on record, and its user is told: no other page may bring that about
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const stream = await portal.streams.open({ user, current }, actor, parameters.get('topic') ?? [], topics);
  return { kind: 'stream', stream };
}
