import { type DocumentFault, warningAt } from '../lib/documents/source-diagnostic.js';
import { applicationTypes, securityLevels } from '../lines/entry-point/transaction.js';
import type { ConfigurationDocument, TransactionDocument } from './configuration-document.js';
import { NO_APPLICATION, runsInitialScenario } from './transaction-checks.js';

type TransactionKey = keyof TransactionDocument;
type ReasonOf = (transaction: TransactionDocument, hosts: readonly string[]) => string | undefined;

const { hostApplication, serverProgram, pageDirectory } = applicationTypes;

const onlyFor =
  (types: readonly number[], what: string): ReasonOf =>
  ({ applicationType }) =>
    types.includes(applicationType) ? undefined : `has no effect: it is for ${what}`;

const never: ReasonOf = () => 'has no effect in this version';

const scenarioTypes = onlyFor([hostApplication, serverProgram], 'application types 1 and 2');
const hostType = onlyFor([hostApplication], 'application type 1');

/** A transaction of type 2 that names a host opens its own host session. */
const withHost: ReasonOf = (transaction, hosts) =>
  transaction.applicationType === serverProgram && hosts.includes(transaction.application)
    ? undefined
    : hostType(transaction, hosts);

/** Keys that transactions may have for compatibility although they have no effect. */
const reasons: Partial<Record<TransactionKey, ReasonOf>> = {
  terminals: never,
  passTicket: never,
  translation: never,
  option: never,
  logmode: withHost,
  tioaAtLogon: scenarioTypes,
  tioaAtLogoff: withHost,
  page: scenarioTypes,
  contentSecurityPolicy: scenarioTypes,
  logonMessage: onlyFor([pageDirectory], 'application type 4'),
  application: ({ applicationType, application }, hosts) =>
    applicationType === serverProgram && !hosts.includes(application)
      ? 'has no effect: initialScenario names the program, and this file has no host of that name'
      : undefined,
  crypt: (transaction, hosts) =>
    transaction.security === securityLevels.form ? scenarioTypes(transaction, hosts) : hostType(transaction, hosts),
  startup: ({ startup }) =>
    startup === 'automatic' ? 'only hides it from the menu: nothing is started automatically' : undefined,
  fileTransfer: (transaction, hosts) =>
    hostType(transaction, hosts) ??
    (transaction.security === securityLevels.public && (transaction.fileTransfer?.groups.length ?? 0) > 0
      ? 'has no effect: users of a public transaction are in no group, so they cannot transfer files'
      : undefined),
  inputScenario: hostType,
  outputScenario: hostType,
  initialScenario: (transaction, hosts) =>
    scenarioTypes(transaction, hosts) ??
    (runsInitialScenario(transaction.tioaAtLogon) ? undefined : 'has no effect: no &/S in tioaAtLogon runs it'),
  finalScenario: (transaction, hosts) =>
    withHost(transaction, hosts) ??
    (runsInitialScenario(transaction.tioaAtLogoff) ? undefined : 'has no effect: no &/S in tioaAtLogoff runs it'),
};

/** Values that a transaction has by default. */
const unsaid: Partial<Record<TransactionKey, string>> = {
  application: NO_APPLICATION,
  tioaAtLogon: '',
  tioaAtLogoff: '',
  logonMessage: '',
};

export function* warnOfNoEffect(document: ConfigurationDocument): Generator<DocumentFault> {
  const { macros, macrosAutoRefresh, macroPublishers, security, entryPoints } = document;
  const hosts = Object.keys(document.hosts);
  if (macros === undefined && macrosAutoRefresh !== 'session') {
    yield warningAt(['macrosAutoRefresh'], 'has no effect without the key "macros"');
  }
  if (macros === undefined && macroPublishers !== undefined) {
    yield warningAt(['macroPublishers'], 'has no effect without the key "macros"');
  }
  const { ldap } = security;
  if (ldap !== undefined && !ldap.startTls && /^ldap:/i.test(ldap.url)) {
    if (ldap.ca !== undefined) yield warningAt(['security', 'ldap', 'ca'], 'has no effect: there is no TLS');
    if (!ldap.verify) yield warningAt(['security', 'ldap', 'verify'], 'has no effect: there is no TLS');
  }
  if (ldap?.bindPasswordFile !== undefined && ldap.bindDn === undefined) {
    yield warningAt(['security', 'ldap', 'bindPasswordFile'], 'has no effect without the key "bindDn"');
  }
  for (const [name, { transactions }] of Object.entries(entryPoints)) {
    for (const [transactionName, transaction] of Object.entries(transactions)) {
      if (unservedTypes.includes(transaction.applicationType)) continue;
      for (const key of Object.keys(reasons) as TransactionKey[]) {
        const value = transaction[key];
        const reason = value === undefined || value === unsaid[key] ? undefined : reasons[key]?.(transaction, hosts);
        if (reason !== undefined) yield warningAt(['entryPoints', name, 'transactions', transactionName, key], reason);
      }
    }
  }
}

/** Application types that this version accepts but does not serve. */
export const unservedTypes: readonly number[] = [applicationTypes.externalServer, applicationTypes.line];
