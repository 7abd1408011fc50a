import { type Reason, reasonText } from '../../lib/locale.js';

/**
 * Letters, digits and `$ # @ _ . -`, without `.` or `-` at the start, so that names are safe in paths, headers and
 * keys.
 */
const SECURITY_NAME = /^[A-Za-z0-9$#@_][A-Za-z0-9$#@_.-]{0,63}$/;

export const securityNameReason: Reason = { code: 'rule.securityName' };

/** In English, for commands. */
export const securityNameRule = reasonText(securityNameReason, 'en');

export function isSecurityName(text: string): boolean {
  return SECURITY_NAME.test(text);
}

/** Key of a name. Names are case-insensitive. */
export function foldedName(name: string): string {
  return name.toLowerCase();
}

export function compareNames(one: string, other: string): number {
  const [first, second] = [foldedName(one), foldedName(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
