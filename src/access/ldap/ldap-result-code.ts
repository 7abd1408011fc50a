/** The result codes of RFC 4511 that have a part here; the log shows the names. */
export const ldapResultCodes = {
  success: 0,
  operationsError: 1,
  protocolError: 2,
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  authMethodNotSupported: 7,
  strongerAuthRequired: 8,
  referral: 10,
  adminLimitExceeded: 11,
  confidentialityRequired: 13,
  constraintViolation: 19,
  noSuchObject: 32,
  invalidDNSyntax: 34,
  inappropriateAuthentication: 48,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
} as const;

const names = new Map<number, string>(Object.entries(ldapResultCodes).map(([name, code]) => [code, name]));

/**
 * A bind that ends so is the user's affair: the password is wrong, there is no such entry, it has no password, it is
 * locked (servers with password policies say 19, 49 or 53), or it lies on another server. Anything else is the server's.
 */
const refusals: ReadonlySet<number> = new Set([
  ldapResultCodes.referral,
  ldapResultCodes.constraintViolation,
  ldapResultCodes.noSuchObject,
  ldapResultCodes.invalidDNSyntax,
  ldapResultCodes.inappropriateAuthentication,
  ldapResultCodes.invalidCredentials,
  ldapResultCodes.insufficientAccessRights,
  ldapResultCodes.unwillingToPerform,
]);

export function isRefusal(code: number): boolean {
  return refusals.has(code);
}

/** Never with the words of the server: it could repeat a password in them. */
export function resultText(code: number): string {
  return `${names.get(code) ?? 'result code'} (${code})`;
}
