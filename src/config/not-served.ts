import { type DocumentFault, warningAt } from '../lib/documents/document-fault.js';
import { applicationTypes, securityLevels } from '../lines/entry-point/transaction.js';
import type { ConfigurationDocument } from './configuration-document.js';

const unservedTypes: readonly number[] = [applicationTypes.externalServer, applicationTypes.line];

const unservedSecurity: readonly number[] = [securityLevels.ntlm, securityLevels.certificate];

/** What the file may say already and this version does not do yet. */
export function* warnOfNotServed(document: ConfigurationDocument): Generator<DocumentFault> {
  for (const [name, { transactions }] of Object.entries(document.entryPoints)) {
    for (const [transactionName, transaction] of Object.entries(transactions)) {
      const { applicationType, security } = transaction;
      const path = ['entryPoints', name, 'transactions', transactionName];
      if (unservedTypes.includes(applicationType)) {
        yield warningAt(path, `not served by this version: application type ${applicationType}`);
      } else if (unservedSecurity.includes(security)) {
        yield warningAt(path, `not served by this version: security ${security} (requests are refused with 403)`);
      }
    }
  }
}
