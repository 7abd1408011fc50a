/** Scopes of one token. */
export const MOST_SCOPES = 100;
const SCOPE = /^(?:services|services:[A-Za-z][A-Za-z0-9_-]{0,63}|sessions|screens|operation|tracing)$/;

/** In words. */
export const scopeRule =
  'services (all of them), services:NAME (one), sessions, screens, operation (of the server), or tracing (of sessions)';

/** Whether a text can be a scope. */
export function isScope(text: string): boolean {
  return SCOPE.test(text);
}

/** Whether scopes let a caller use a service. */
export function mayCall(scopes: readonly string[], service: string): boolean {
  return scopes.includes('services') || scopes.includes(`services:${service}`);
}
