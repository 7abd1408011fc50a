import { ServiceError } from '../../lib/errors.js';

interface MatchableRoute {
  readonly method: string;
  /** `/users/:name`: a part that starts with a colon matches one name. */
  readonly path: string;
}

interface MatchedRoute<R> {
  readonly route: R;
  readonly segments: ReadonlyMap<string, string>;
}

/**
 * Routes of all methods whose path matches.
 * @param names parts of the requested path
 * @param matches compares a part of a route with a name
 */
export function routesAt<R extends MatchableRoute>(
  routes: readonly R[],
  names: readonly string[],
  matches: (part: string, name: string) => boolean,
): readonly MatchedRoute<R>[] {
  return routes.flatMap((route) => {
    const parts = route.path.slice(1).split('/');
    if (parts.length !== names.length || !parts.every((part, at) => matches(part, names[at] ?? ''))) return [];
    const segments = parts.flatMap((part, at): [string, string][] =>
      part.startsWith(':') ? [[part.slice(1), names[at] ?? '']] : [],
    );
    return [{ route, segments: new Map(segments) }];
  });
}

/** @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN, SVC_ERR_REQUEST_METHOD */
export function routeOfMethod<R extends MatchableRoute>(
  found: readonly MatchedRoute<R>[],
  asked: string | undefined,
): MatchedRoute<R> {
  const method = asked === 'HEAD' ? 'GET' : asked;
  const exact = found.find(({ route }) => route.method === method);
  if (exact !== undefined) return exact;
  if (found.length === 0) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const headers = { Allow: found.map(({ route }) => route.method).join(', ') };
  throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers });
}
