import { applicationTypes, securityLevels } from '../line/transaction.js';
import type { ConfigurationDocument } from './configuration-document.js';
import { type ConfigurationFault, warningAt } from './configuration-fault.js';

const unservedTypes: readonly number[] = [applicationTypes.externalServer, applicationTypes.line];

/**
 * What the file may say already and this version does not do yet. `has` tells what the file itself says, without the
 * defaults.
 */
export function* warnOfNotServed(
  document: ConfigurationDocument,
  has: (section: string) => boolean,
): Generator<ConfigurationFault> {
  for (const section of ['security', 'macros']) {
    if (has(section)) yield warningAt([section], 'not served by this version');
  }
  for (const [name, { transactions }] of Object.entries(document.entryPoints)) {
    for (const [transactionName, transaction] of Object.entries(transactions)) {
      const { applicationType, security } = transaction;
      const path = ['entryPoints', name, 'transactions', transactionName];
      for (const key of ['inputScenario', 'outputScenario'] as const) {
        if (transaction[key] !== undefined) yield warningAt([...path, key], 'not served by this version');
      }
      if (unservedTypes.includes(applicationType)) {
        yield warningAt(path, `not served by this version: application type ${applicationType}`);
      } else if (security !== securityLevels.public) {
        yield warningAt(path, `not served by this version: security ${security} (requests are refused with 403)`);
      }
    }
  }
}
