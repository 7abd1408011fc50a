/** Letters, digits and `$ # @ _ . -`, beginning with none of `. -`: nothing a path, a header or a key could be led astray by. */
const SECURITY_NAME = /^[A-Za-z0-9$#@_][A-Za-z0-9$#@_.-]{0,63}$/;

/** In words. */
export const securityNameRule = '1 to 64 letters, digits and $ # @ _ . -, beginning with neither . nor -';

/** Whether a text can be the name of a user or a group: 1 to 64 characters. */
export function isSecurityName(text: string): boolean {
  return SECURITY_NAME.test(text);
}

/** What two names have in common that mean the same user or group: names differ in more than case. */
export function foldedName(name: string): string {
  return name.toLowerCase();
}

/** For lists in the order of names. */
export function compareNames(one: string, other: string): number {
  const [first, second] = [foldedName(one), foldedName(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
