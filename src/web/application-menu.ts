import type { Transaction } from '../line/transaction.js';
import type { ClientSite } from './client-site.js';
import { noVariables, type PageVariables } from './page-rendering.js';

/** Variables of the application menu, a value for each application: pages without a session are given them. */
const factOf: ReadonlyMap<string, (transaction: Transaction) => string> = new Map([
  ['$MENU-PAGE$', ({ page = '' }: Transaction) => encodeURIComponent(page)],
  ['$MENU-TRANSACTION$', ({ externalName }: Transaction) => externalName],
  ['$MENU-DESCRIPTION$', ({ description }: Transaction) => description],
]);

/** The transactions that a menu offers: started from it, open to anybody, with a page to begin with (reference 1.1, STARTUP). */
export function menuVariables({ entryPoint }: ClientSite): PageVariables {
  const offered = entryPoint.definition.transactions.filter(
    ({ startup, security, page }) => startup === 'menu' && security === 0 && page !== undefined,
  );
  return {
    ...noVariables,
    valuesOf: (variable) => {
      const value = factOf.get(variable.toUpperCase());
      return value === undefined || offered.length === 0 ? undefined : offered.map(value);
    },
  };
}
