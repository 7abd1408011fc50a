import type { Toggles } from './toggles.js';

/** What a host may ask for by NEW-ENVIRON (RFC 1572, RFC 4777). */
export function newEnvironment(toggles: Toggles, asked: string | undefined): ReadonlyMap<string, string> {
  const user = asked ?? toggles.get('user');
  const device = toggles.get('devName');
  return new Map([['USER', user] as const, ...(device === '' ? [] : [['DEVNAME', device] as const])]);
}
