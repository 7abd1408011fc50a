import type { IncomingMessage } from 'node:http';
import { securityLevels, type Transaction } from '../../entry-point/transaction.js';
import type { SecurityUser } from '../../security/security-database.js';
import type { ClientSite } from '../http/client-site.js';
import { lineUrl } from '../http/line-url.js';
import { noRunValues, type RunValues } from './page-rendering.js';

/** Variables of the application menu, a value for each application: pages without a session are given them. */
const factOf: ReadonlyMap<string, (transaction: Transaction) => string> = new Map([
  ['$MENU-PAGE$', ({ page = '' }: Transaction) => encodeURIComponent(page)],
  ['$MENU-TRANSACTION$', ({ externalName }: Transaction) => externalName],
  ['$MENU-DESCRIPTION$', ({ description }: Transaction) => description],
]);

/**
 * The transactions that a menu offers: started from it, with a page to begin with (reference 1.1, STARTUP), and open to
 * anybody, or to whoever signs on. And who has signed on, and the address of the line.
 */
export function menuVariables(
  { entryPoint, security, line }: ClientSite,
  incoming: IncomingMessage,
  user: SecurityUser | undefined,
): RunValues {
  const levels: readonly number[] = [
    securityLevels.public,
    ...(security === undefined ? [] : [securityLevels.basic, securityLevels.form]),
    ...(user === undefined ? [] : [securityLevels.signedOnAlready]),
  ];
  const offered = entryPoint.definition.transactions.filter(
    ({ startup, security: level, page }) => startup === 'menu' && levels.includes(level) && page !== undefined,
  );
  return {
    ...noRunValues,
    valuesOf: (variable) => {
      if (variable.toUpperCase() === '$USER$') return user === undefined ? undefined : [user.name];
      if (variable.toUpperCase() === '$LINE-URL$') return [lineUrl(line, incoming)];
      const value = factOf.get(variable.toUpperCase());
      return value === undefined || offered.length === 0 ? undefined : offered.map(value);
    },
  };
}
