import { type DocumentFault, errorAt } from '../lib/documents/source-diagnostic.js';
import { isNodeCode } from '../lib/network/node-code.js';
import { securityLevels } from '../lines/entry-point/transaction.js';
import type { ConfigurationDocument } from './configuration-document.js';

/** The maximum in the schema. */
export const MOST_PROCESSES = 64;

/** Several processes need a shared store, unless nothing that they serve keeps data. */
export function* checkProcesses(document: ConfigurationDocument): Generator<DocumentFault> {
  const { processes, store, cluster } = document;
  // `processes` is missing if it violates the schema
  if (processes !== 'auto' && !(processes > 1)) return;
  const lastCode = `${cluster?.node ?? ''}${processes === 'auto' ? MOST_PROCESSES : processes}`;
  if (/\d$/.test(cluster?.node ?? '')) {
    yield errorAt(
      ['cluster', 'node'],
      'must end with a letter: with several processes, the number of the process follows it',
    );
  } else if (!isNodeCode(lastCode)) {
    const words = `is too long for several processes: the code of each is this one followed by its number ("${lastCode}"), at most 8 characters`;
    yield errorAt(['cluster', 'node'], words);
  }
  if (store !== undefined) return;
  const [user] = usersOfStores(document);
  if (user === undefined) return;
  yield errorAt(
    ['processes'],
    `several processes need the key "store": ${user} keeps data in files or in memory, which only one process can use`,
  );
}

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
