import { type DocumentFault, errorAt } from '../document/document-fault.js';
import { securityLevels } from '../entry-point/transaction.js';
import type { ConfigurationDocument } from './configuration-document.js';

/** Several processes on one machine need a store that they share, unless nothing of what is served keeps anything. */
export function* checkProcesses(document: ConfigurationDocument): Generator<DocumentFault> {
  if (document.processes === 1 || document.store !== undefined) return;
  const [user] = usersOfStores(document);
  if (user === undefined) return;
  yield errorAt(
    ['processes'],
    `several processes need the key "store": ${user} keeps data in files or in memory, which belong to one process`,
  );
}

/** What keeps users, sign-ons, tokens, macros or answers, in words. */
function* usersOfStores({ lines, macros, entryPoints }: ConfigurationDocument): Generator<string> {
  for (const [name, line] of Object.entries(lines)) {
    if (!line.outbound && line.portal !== undefined) yield `the portal of line ${name}`;
  }
  if (macros !== undefined) yield 'the folder "macros"';
  for (const [name, { services, transactions }] of Object.entries(entryPoints)) {
    if (services !== undefined && services !== false) yield `entry point ${name}, which offers services,`;
    for (const [transactionName, { security }] of Object.entries(transactions)) {
      if (security !== securityLevels.public) yield `the sign-on for transaction ${transactionName} of ${name}`;
    }
  }
}
