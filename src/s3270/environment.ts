import type { Toggles } from './toggles.js';

/**
 * Express logon of z/OS: the host puts user and passticket in place of what a login macro types. It asks for these by name.
 * @param applicationId of the application that is signed on to
 */
export function expressLogonEnvironment(applicationId: string): ReadonlyMap<string, string> {
  return new Map([
    ['IBMELF', 'YES'],
    ['IBMAPPLID', applicationId],
  ]);
}

/** What a host may ask for by NEW-ENVIRON (RFC 1572, RFC 4777). */
export function newEnvironment(toggles: Toggles, asked: string | undefined): ReadonlyMap<string, string> {
  const user = asked ?? toggles.get('user');
  const device = toggles.get('devName');
  return new Map([['USER', user] as const, ...(device === '' ? [] : [['DEVNAME', device] as const])]);
}
